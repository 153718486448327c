import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../shared/clock.ts';
import type { Embedder } from '../../shared/knowledge/embedder.ts';
import type { Log } from '../../shared/log.ts';
import type { Db } from '../../store/database.ts';
import { areAllIndexed, MOST_INDEXED_DIMENSIONS, nearestInDatabase } from '../../store/knowledge/pgvector.ts';
import { vectorStamps, type ChunkKey } from '../../store/knowledge/vectors.ts';
import { VectorMemory } from './vector-memory.ts';

export type NearChunk = ChunkKey & { readonly likeness: number };
export type MeaningAnswer =
  | { readonly state: 'used'; readonly chunks: readonly NearChunk[] }
  /** Too late or failed: only full-text results count. */
  | { readonly state: 'late' | 'failed' };

const MAX_CACHED_QUESTIONS = 500;
/** Timeout of an embedding request, longer than a search waits: a late embedding is cached for the next search. */
const EMBED_MS = 5000;
/** Pause after a failure, during which searches do not wait for the server (circuit breaker). */
const BREAKER_OPEN_MS = 5000;

export interface MeaningDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly embedder: Embedder;
  /** pgvector is available. */
  readonly hasNear: boolean;
}

/** Semantic search within a caller's patience. */
export class MeaningSearch {
  readonly model: string;
  readonly #deps: MeaningDeps;
  readonly #memory: VectorMemory;
  readonly #questions = new Map<string, Promise<Float32Array>>();
  #openUntil = Number.NEGATIVE_INFINITY;

  constructor(deps: MeaningDeps) {
    this.#deps = deps;
    this.model = deps.embedder.name;
    this.#memory = new VectorMemory(deps.db);
  }

  /** The nearest chunks of these knowledge bases, or the reason for none. Never rejects. */
  async search(
    at: { readonly workspaceId: string; readonly kbIds: readonly string[] },
    question: string,
    limit: number,
    waitMs: number,
  ): Promise<MeaningAnswer> {
    if (this.#deps.clock.monotonic() < this.#openUntil) return { state: 'failed' };
    const waiting = new AbortController();
    const late = sleep(waitMs, { state: 'late' } as const, { signal: waiting.signal, ref: false });
    const found = this.#find(at, question, limit).catch((error: unknown): MeaningAnswer => {
      this.#deps.log.warn({ err: error }, 'semantic knowledge search failed');
      return { state: 'failed' };
    });
    late.catch(() => undefined);
    return Promise.race([found, late]).finally(() => waiting.abort());
  }

  /** Loads the vectors of a call's knowledge bases before its first search. */
  warm(workspaceId: string, kbIds: readonly string[]): void {
    if (this.#deps.hasNear || kbIds.length === 0) return;
    this.#memory.load({ workspaceId, kbIds, model: this.model }).catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, 'loading the vectors of knowledge bases failed');
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
      (await areAllIndexed(db, workspaceId, bases, model));
    const chunks = stamps.reduce((sum, one) => sum + one.chunks, 0);
    const nearest = inDatabase
      ? await nearestInDatabase(db, { ...at, chunks }, query, limit)
      : await this.#memory.nearest(at, query, limit);
    return { state: 'used', chunks: nearest.filter(({ likeness }) => likeness > 0) };
  }

  /** Embeds each question once; concurrent and repeated searches share the request. */
  #vectorOf(question: string): Promise<Float32Array> {
    const key = question.normalize('NFKC').trim().toLowerCase();
    const kept = this.#questions.get(key);
    if (kept !== undefined) return kept;
    const embedding = this.#deps.embedder.embed([question], { timeoutMs: EMBED_MS }).then(
      ([vector]) => vector!,
      (error: unknown) => {
        this.#questions.delete(key);
        this.#openUntil = this.#deps.clock.monotonic() + BREAKER_OPEN_MS;
        throw error;
      },
    );
    this.#questions.set(key, embedding);
    const [oldest] = this.#questions.keys();
    if (this.#questions.size > MAX_CACHED_QUESTIONS && oldest !== undefined) this.#questions.delete(oldest);
    return embedding;
  }
}
