/** LRU cache of whole clips by synthesis key, bounded in bytes. */
export interface ClipCache<T> {
  get(key: string): T | undefined;
  put(key: string, clip: T): void;
  bytes(): number;
}

/** One clip may take at most this share of the cache. */
const MAX_SHARE = 0.25;

export const chunkBytes = (chunks: readonly Int16Array[]): number =>
  chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);

export function clipCache<T>(maxBytes: number, bytesOf: (clip: T) => number): ClipCache<T> {
  const entries = new Map<string, { clip: T; bytes: number }>();
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
      return entry.clip;
    },
    put(key, clip) {
      const size = bytesOf(clip) + key.length * 2;
      if (size > maxBytes * MAX_SHARE) return;
      drop(key);
      entries.set(key, { clip, bytes: size });
      bytes += size;
      for (const oldest of entries.keys()) {
        if (bytes <= maxBytes) break;
        drop(oldest);
      }
    },
    bytes: () => bytes,
  };
}
