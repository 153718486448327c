import { setTimeout as sleep } from 'node:timers/promises';
import type { Embedder } from '../../shared/knowledge/embedder.ts';
import type { Log } from '../../shared/log.ts';
import { areAllIndexed, MOST_INDEXED_DIMENSIONS, nearestInDatabase } from '../../store/knowledge/pgvector.ts';
import { vectorStamps, type ChunkKey } from '../../store/knowledge/vectors.ts';
import { holdQuestion, type EmbeddingChargeDeps } from './embedding-charges.ts';
import { VectorMemory } from './vector-memory.ts';

export type NearChunk = ChunkKey & { readonly likeness: number };
export type MeaningAnswer =
  | { readonly state: 'used'; readonly chunks: readonly NearChunk[] }
  /** Too late, failed, or not covered by credits and caps of the workspace: only full-text results count. */
  | { readonly state: 'late' | 'failed' | 'unpaid' };

/** Where a search looks. */
export interface SearchPlace {
  readonly workspaceId: string;
  readonly kbIds: readonly string[];
  /** An inbound caller, a page with the public key or a customer of a chat caused the search. */
  readonly byStranger: boolean;
}

const MAX_CACHED_QUESTIONS = 500;
/** Timeout of an embedding request, longer than a search waits: a late embedding is cached for the next search. */
const EMBED_MS = 5000;
/** Pause after a failure, during which searches do not wait for the server (circuit breaker). */
const BREAKER_OPEN_MS = 5000;
/** Longer than an embedding request and the storing of its charge. */
const HELD_MS = 60_000;

/** Credits or caps of the workspace do not cover the question. */
class Unpaid extends Error {
  override readonly name = 'Unpaid';
}

export interface MeaningDeps extends EmbeddingChargeDeps {
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
  async search(at: SearchPlace, question: string, limit: number, waitMs: number): Promise<MeaningAnswer> {
    if (this.#deps.clock.monotonic() < this.#openUntil) return { state: 'failed' };
    const waiting = new AbortController();
    const late = sleep(waitMs, { state: 'late' } as const, { signal: waiting.signal, ref: false });
    const found = this.#find(at, question, limit).catch((error: unknown): MeaningAnswer => {
      if (error instanceof Unpaid) return { state: 'unpaid' };
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

  async #find(place: SearchPlace, question: string, limit: number): Promise<MeaningAnswer> {
    const { workspaceId, kbIds } = place;
    const { db, hasNear } = this.#deps;
    const { model } = this;
    const [query, stamps] = await Promise.all([
      this.#vectorOf(place, question),
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

  /** Embeds each question once; concurrent and repeated searches share the request, and the first of them pays for it. */
  async #vectorOf(place: SearchPlace, question: string): Promise<Float32Array> {
    const key = question.normalize('NFKC').trim().toLowerCase();
    const kept = this.#questions.get(key);
    if (kept !== undefined) return kept;
    const settle = await holdQuestion(this.#deps, place, HELD_MS);
    if (settle === null) throw new Unpaid('credits or caps do not cover the question');
    // Another search may have asked meanwhile.
    const asked = this.#questions.get(key);
    const embedding = asked ?? this.#embed(key, question);
    // The searches wait for no settlement; a hold that is not settled expires without a charge.
    embedding
      .then(
        () => settle(asked === undefined),
        () => settle(false),
      )
      .catch((error: unknown) => {
        this.#deps.log.warn(
          { err: error },
          'the credits of a knowledge search stay held until their hold expires',
        );
      });
    return embedding;
  }

  #embed(key: string, question: string): Promise<Float32Array> {
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
