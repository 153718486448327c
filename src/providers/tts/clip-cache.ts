/** LRU cache of whole clips by synthesis key, bounded in bytes. */
export interface ClipCache {
  get(key: string): readonly Int16Array[] | undefined;
  put(key: string, chunks: readonly Int16Array[]): void;
  bytes(): number;
}

/** One clip may take at most this share of the cache. */
const MAX_SHARE = 0.25;

export function clipCache(maxBytes: number): ClipCache {
  const entries = new Map<string, { chunks: readonly Int16Array[]; bytes: number }>();
  let bytes = 0;

  const drop = (key: string): void => {
    const entry = entries.get(key);
    if (entry === undefined) return;
    bytes -= entry.bytes;
    entries.delete(key);
  };

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.chunks;
    },
    put(key, chunks) {
      const size = chunks.reduce((sum, chunk) => sum + chunk.byteLength, key.length * 2);
      if (size > maxBytes * MAX_SHARE) return;
      drop(key);
      entries.set(key, { chunks, bytes: size });
      bytes += size;
      for (const oldest of entries.keys()) {
        if (bytes <= maxBytes) break;
        drop(oldest);
      }
    },
    bytes: () => bytes,
  };
}
