import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../shared/clock.ts';
import type { Embedder } from '../../shared/knowledge/embedder.ts';
import type { Log } from '../../shared/log.ts';
import type { Db } from '../../store/database.ts';
import { isNearWhole, MOST_INDEXED_DIMENSIONS, nearestInDatabase } from '../../store/knowledge-near.ts';
import { vectorStamps, type ChunkKey } from '../../store/knowledge-vectors.ts';
import { VectorMemory } from './vector-memory.ts';

export type NearChunk = ChunkKey & { readonly likeness: number };
export type MeaningAnswer =
  | { readonly state: 'used'; readonly chunks: readonly NearChunk[] }
  /** Not in time, or not at all: what the words found stands. */
  | { readonly state: 'late' | 'failed' };

const KEPT_QUESTIONS = 500;
/** However little a search waits, an answer that comes later is kept for the next one. */
const EMBED_MS = 5000;
/** A failing server is left in peace so long: calls do not wait for it. */
const REST_MS = 5000;

export interface MeaningDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly embedder: Embedder;
  /** The database compares vectors itself. */
  readonly hasNear: boolean;
}

/** Finds chunks by what a question means, within the time a caller can wait. */
export class MeaningSearch {
  readonly model: string;
  readonly #deps: MeaningDeps;
  readonly #memory: VectorMemory;
  readonly #questions = new Map<string, Promise<Float32Array>>();
  #restsUntil = Number.NEGATIVE_INFINITY;

  constructor(deps: MeaningDeps) {
    this.#deps = deps;
    this.model = deps.embedder.name;
    this.#memory = new VectorMemory(deps.db);
  }

  /** The nearest chunks of these knowledge bases, or why there are none. Never rejects. */
  async search(
    at: { readonly workspaceId: string; readonly kbIds: readonly string[] },
    question: string,
    limit: number,
    waitMs: number,
  ): Promise<MeaningAnswer> {
    if (this.#deps.clock.monotonic() < this.#restsUntil) return { state: 'failed' };
    const waiting = new AbortController();
    const late = sleep(waitMs, { state: 'late' } as const, { signal: waiting.signal, ref: false });
    const found = this.#find(at, question, limit).catch((error: unknown): MeaningAnswer => {
      this.#deps.log.warn({ err: error }, 'knowledge could not be searched by meaning');
      return { state: 'failed' };
    });
    late.catch(() => undefined);
    return Promise.race([found, late]).finally(() => waiting.abort());
  }

  /** Reads what a call will compare, before it asks. */
  warm(workspaceId: string, kbIds: readonly string[]): void {
    if (this.#deps.hasNear || kbIds.length === 0) return;
    this.#memory.load({ workspaceId, kbIds, model: this.model }).catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, 'the vectors of knowledge bases could not be read');
    });
  }

  async #find(
    { workspaceId, kbIds }: { readonly workspaceId: string; readonly kbIds: readonly string[] },
    question: string,
    limit: number,
  ): Promise<MeaningAnswer> {
    const { db, hasNear } = this.#deps;
    const { model } = this;
    const [query, stamps] = await Promise.all([
      this.#vectorOf(question),
      vectorStamps(db, workspaceId, kbIds, model),
    ]);
    const bases = stamps.map(({ kbId }) => kbId);
    if (bases.length === 0) return { state: 'used', chunks: [] };
    const at = { workspaceId, kbIds: bases, model };
    const inDatabase =
      hasNear &&
      query.length <= MOST_INDEXED_DIMENSIONS &&
      (await isNearWhole(db, workspaceId, bases, model));
    const chunks = stamps.reduce((sum, one) => sum + one.chunks, 0);
    const nearest = inDatabase
      ? await nearestInDatabase(db, { ...at, chunks }, query, limit)
      : await this.#memory.nearest(at, query, limit);
    return { state: 'used', chunks: nearest.filter(({ likeness }) => likeness > 0) };
  }

  /** One request a question, however many ask it at once or again. */
  #vectorOf(question: string): Promise<Float32Array> {
    const key = question.normalize('NFKC').trim().toLowerCase();
    const kept = this.#questions.get(key);
    if (kept !== undefined) return kept;
    const asked = this.#deps.embedder.embed([question], { timeoutMs: EMBED_MS }).then(
      ([vector]) => vector!,
      (error: unknown) => {
        this.#questions.delete(key);
        this.#restsUntil = this.#deps.clock.monotonic() + REST_MS;
        throw error;
      },
    );
    this.#questions.set(key, asked);
    const [oldest] = this.#questions.keys();
    if (this.#questions.size > KEPT_QUESTIONS && oldest !== undefined) this.#questions.delete(oldest);
    return asked;
  }
}
