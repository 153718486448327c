import { setImmediate as breathe } from 'node:timers/promises';
import { MostAlike, unpackVectors } from '../../shared/knowledge/vectors.ts';
import type { Db } from '../../store/database.ts';
import { readVectors, vectorStamps, type ChunkKey } from '../../store/knowledge-vectors.ts';

/** Vectors kept in one process, in bytes: 100,000 of 640 numbers, or 43,000 of 1536. */
const MAX_BYTES = 256 * 1024 * 1024;
const ROWS_A_READ = 500;
/** Compared without a pause: a few milliseconds of whatever else the thread does. */
const NUMBERS_A_SLICE = 2_000_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface KeptBase {
  readonly stamp: string;
  readonly dimensions: number;
  readonly keys: readonly ChunkKey[];
  readonly parts: readonly { readonly from: number; readonly vectors: Float32Array }[];
  readonly bytes: number;
}

/**
 * Compares vectors in the process, for a database that cannot: those of a knowledge base are read once and kept
 * until they change or others need the room. What is too much for the room is not compared; its words are searched.
 */
export class VectorMemory {
  readonly #db: Db;
  readonly #maxBytes: number;
  readonly #kept = new Map<string, KeptBase>();
  readonly #reading = new Map<string, Promise<KeptBase>>();

  constructor(db: Db, maxBytes = MAX_BYTES) {
    this.#db = db;
    this.#maxBytes = maxBytes;
  }

  /** The nearest chunks of the knowledge bases, best first. */
  async nearest(
    at: { readonly workspaceId: string; readonly kbIds: readonly string[]; readonly model: string },
    query: Float32Array,
    limit: number,
  ): Promise<(ChunkKey & { likeness: number })[]> {
    const bases = await this.load(at);
    const best = new MostAlike(limit);
    const keys: ChunkKey[] = [];
    const slice = Math.max(1, Math.floor(NUMBERS_A_SLICE / query.length));
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

  /** Has the vectors of the knowledge bases here, as they are now. */
  async load(at: {
    readonly workspaceId: string;
    readonly kbIds: readonly string[];
    readonly model: string;
  }): Promise<KeptBase[]> {
    const bases: KeptBase[] = [];
    let room = this.#maxBytes;
    for (const { kbId, stamp } of await vectorStamps(this.#db, at.workspaceId, at.kbIds, at.model)) {
      const base = await this.#base({ workspaceId: at.workspaceId, kbId, model: at.model }, stamp);
      room -= base.bytes;
      if (room >= 0) bases.push(base);
    }
    return bases;
  }

  async #base(at: { workspaceId: string; kbId: string; model: string }, stamp: string): Promise<KeptBase> {
    const name = `${at.workspaceId} ${at.kbId} ${at.model}`;
    const kept = this.#kept.get(name);
    if (kept?.stamp === stamp) {
      // Used last: the others go before it.
      this.#kept.delete(name);
      this.#kept.set(name, kept);
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

  async #read(at: { workspaceId: string; kbId: string; model: string }, stamp: string): Promise<KeptBase> {
    const keys: ChunkKey[] = [];
    const parts: { from: number; vectors: Float32Array }[] = [];
    let [after, bytes, dimensions] = [{ sourceId: FIRST_ID, seq: -1 }, 0, 0];
    for (;;) {
      const rows = await readVectors(this.#db, at, after, ROWS_A_READ);
      dimensions ||= (rows[0]?.vector.byteLength ?? 0) / Float32Array.BYTES_PER_ELEMENT;
      const fitting = rows.filter(
        ({ vector }) => vector.byteLength === dimensions * Float32Array.BYTES_PER_ELEMENT,
      );
      const vectors = unpackVectors(fitting.map(({ vector }) => vector));
      parts.push({ from: keys.length, vectors });
      for (const { sourceId, seq } of fitting) keys.push({ kbId: at.kbId, sourceId, seq });
      bytes += vectors.byteLength;
      const last = rows.at(-1);
      if (last === undefined || rows.length < ROWS_A_READ || bytes > this.#maxBytes) break;
      after = last;
    }
    return { stamp, dimensions, keys, parts, bytes };
  }

  #keep(name: string, base: KeptBase): void {
    this.#kept.delete(name);
    this.#kept.set(name, base);
    let bytes = [...this.#kept.values()].reduce((sum, one) => sum + one.bytes, 0);
    for (const [oldest, { bytes: freed }] of this.#kept) {
      if (bytes <= this.#maxBytes) break;
      this.#kept.delete(oldest);
      bytes -= freed;
    }
  }
}
