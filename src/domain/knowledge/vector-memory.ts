import { setImmediate as breathe } from 'node:timers/promises';
import { MostAlike, unpackVectors } from '../../shared/knowledge/vectors.ts';
import type { Db } from '../../store/database.ts';
import { readVectors, vectorStamps, type ChunkKey } from '../../store/knowledge/vectors.ts';

/** Cache size in bytes: 100,000 vectors of 640 dimensions, or 43,000 of 1536. */
const MAX_BYTES = 256 * 1024 * 1024;
const READ_BATCH = 500;
/** Numbers compared before yielding to the event loop: a few milliseconds. */
const NUMBERS_PER_SLICE = 2_000_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface CachedBase {
  readonly stamp: string;
  readonly dimensions: number;
  readonly keys: readonly ChunkKey[];
  readonly parts: readonly { readonly from: number; readonly vectors: Float32Array }[];
  readonly bytes: number;
}

/**
 * Semantic search in process memory, for a database without pgvector. Caches the vectors of each knowledge base until
 * they change, with LRU eviction. Knowledge bases beyond the cache size are skipped; full-text search still covers
 * them.
 */
export class VectorMemory {
  readonly #db: Db;
  readonly #maxBytes: number;
  readonly #cached = new Map<string, CachedBase>();
  readonly #reading = new Map<string, Promise<CachedBase>>();

  constructor(db: Db, maxBytes = MAX_BYTES) {
    this.#db = db;
    this.#maxBytes = maxBytes;
  }

  /** The nearest chunks, best first. */
  async nearest(
    at: { readonly workspaceId: string; readonly kbIds: readonly string[]; readonly model: string },
    query: Float32Array,
    limit: number,
  ): Promise<(ChunkKey & { likeness: number })[]> {
    const bases = await this.load(at);
    const best = new MostAlike(limit);
    const keys: ChunkKey[] = [];
    const slice = Math.max(1, Math.floor(NUMBERS_PER_SLICE / query.length));
    for (const base of bases) {
      const offset = keys.length;
      for (const key of base.keys) keys.push(key);
      if (base.dimensions !== query.length) continue;
      for (const { from, vectors } of base.parts) {
        const count = vectors.length / query.length;
        for (let start = 0; start < count; start += slice) {
          best.look(vectors, query, start, Math.min(count, start + slice), offset + from);
          await breathe();
        }
      }
    }
    return best.best.map((found) => ({ ...keys[found.at]!, likeness: found.likeness }));
  }

  /** Loads the current vectors of the knowledge bases. */
  async load(at: {
    readonly workspaceId: string;
    readonly kbIds: readonly string[];
    readonly model: string;
  }): Promise<CachedBase[]> {
    const bases: CachedBase[] = [];
    let capacity = this.#maxBytes;
    for (const { kbId, stamp } of await vectorStamps(this.#db, at.workspaceId, at.kbIds, at.model)) {
      const base = await this.#base({ workspaceId: at.workspaceId, kbId, model: at.model }, stamp);
      capacity -= base.bytes;
      if (capacity >= 0) bases.push(base);
    }
    return bases;
  }

  async #base(at: { workspaceId: string; kbId: string; model: string }, stamp: string): Promise<CachedBase> {
    const name = `${at.workspaceId} ${at.kbId} ${at.model}`;
    const kept = this.#cached.get(name);
    if (kept?.stamp === stamp) {
      // Moves the entry to the end: eviction order is least recently used.
      this.#cached.delete(name);
      this.#cached.set(name, kept);
      return kept;
    }
    const reading = `${name} ${stamp}`;
    const read = this.#reading.get(reading) ?? this.#read(at, stamp);
    this.#reading.set(reading, read);
    try {
      const base = await read;
      this.#keep(name, base);
      return base;
    } finally {
      this.#reading.delete(reading);
    }
  }

  async #read(at: { workspaceId: string; kbId: string; model: string }, stamp: string): Promise<CachedBase> {
    const keys: ChunkKey[] = [];
    const parts: { from: number; vectors: Float32Array }[] = [];
    let [after, bytes, dimensions] = [{ sourceId: FIRST_ID, seq: -1 }, 0, 0];
    for (;;) {
      const rows = await readVectors(this.#db, at, after, READ_BATCH);
      dimensions ||= (rows[0]?.vector.byteLength ?? 0) / Float32Array.BYTES_PER_ELEMENT;
      const fitting = rows.filter(
        ({ vector }) => vector.byteLength === dimensions * Float32Array.BYTES_PER_ELEMENT,
      );
      const vectors = unpackVectors(fitting.map(({ vector }) => vector));
      parts.push({ from: keys.length, vectors });
      for (const { sourceId, seq } of fitting) keys.push({ kbId: at.kbId, sourceId, seq });
      bytes += vectors.byteLength;
      const last = rows.at(-1);
      if (last === undefined || rows.length < READ_BATCH || bytes > this.#maxBytes) break;
      after = last;
    }
    return { stamp, dimensions, keys, parts, bytes };
  }

  #keep(name: string, base: CachedBase): void {
    this.#cached.delete(name);
    this.#cached.set(name, base);
    let bytes = [...this.#cached.values()].reduce((sum, one) => sum + one.bytes, 0);
    for (const [oldest, { bytes: freed }] of this.#cached) {
      if (bytes <= this.#maxBytes) break;
      this.#cached.delete(oldest);
      bytes -= freed;
    }
  }
}
