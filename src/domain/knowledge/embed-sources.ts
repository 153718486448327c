import { EmbeddingsFailed, type Embedder } from '../../shared/knowledge/embedder.ts';
import { packVector, unpackVectors } from '../../shared/knowledge/vectors.ts';
import type { Db } from '../../store/database.ts';
import {
  chunksToEmbed,
  failSources,
  finishSources,
  storeVectors,
  takeSourcesToEmbed,
  type ChunkToEmbed,
  type NewVector,
  type SourceToEmbed,
} from '../../store/knowledge/vectors.ts';
import { holdEmbeddings, type EmbeddingChargeDeps } from './embedding-charges.ts';
import {
  unindexedDimensions,
  indexVectors,
  createVectorIndex,
  MOST_INDEXED_DIMENSIONS,
  unindexedVectors,
} from '../../store/knowledge/pgvector.ts';

export interface EmbedDeps extends EmbeddingChargeDeps {
  readonly embedder: Embedder;
}

const SOURCE_BATCH = 64;
/** Limits per request. */
const MAX_TEXTS = 64;
const MAX_CHARS = 60_000;
/** Limit per text: models truncate or reject longer input. */
const MAX_TEXT = 2000;
const REQUEST_MS = 30_000;
/** Longer than a request and the storing of its result. */
const LEASE_MS = 120_000;
const RETRY_AFTER_MS = [5000, 30_000, 120_000, 600_000, 3_600_000] as const;
const SETTLED_MS = 600_000;
const UNPAID =
  'the credits or caps of the workspace do not cover the vectors; they are tried again every hour';
const UNPAID_MS = 3_600_000;

/** Embeds a batch of sources without vectors of this model. Returns the number of sources in the batch. */
export async function embedSources(deps: EmbedDeps, signal: AbortSignal): Promise<number> {
  const model = deps.embedder.name;
  const after = (ms: number): Date => new Date(deps.clock.now() + ms);
  const taken = await takeSourcesToEmbed(deps.db, {
    model,
    now: after(0),
    leaseUntil: after(LEASE_MS),
    limit: SOURCE_BATCH,
  });
  if (taken.length === 0) return 0;
  const sources = new Map(taken.map((source) => [source.sourceId, source]));
  try {
    for (;;) {
      const due = batchOf(await chunksToEmbed(deps.db, [...sources.values()], model, MAX_TEXTS));
      if (due.length === 0) break;
      const charge = await holdEmbeddings(deps, ofSources(sources, due), LEASE_MS);
      const unpaid = new Set(charge.refused.map(({ sourceId }) => sourceId));
      if (unpaid.size > 0) {
        const waiting = { error: UNPAID, dueAt: after(UNPAID_MS) };
        await failSources(deps.db, model, charge.refused, waiting);
        for (const sourceId of unpaid) sources.delete(sourceId);
      }
      const batch = due.filter(({ sourceId }) => !unpaid.has(sourceId));
      if (batch.length === 0) continue;
      const embedded = deps.embedder.embed(batch.map(textOf), { timeoutMs: REQUEST_MS, signal });
      const vectors = await embedded.catch(async (error: unknown) => {
        await charge.settle(false);
        throw error;
      });
      const made = batch.flatMap((chunk, at) => toVector(sources, chunk, vectors[at]));
      await charge.settle(true);
      const held = await storeVectors(deps.db, model, made, after(LEASE_MS));
      // Skips sources whose chunks were replaced or deleted in the meantime.
      for (const { sourceId } of batch) if (!held.has(sourceId)) sources.delete(sourceId);
    }
    await finishSources(deps.db, model, [...sources.values()], after(SETTLED_MS));
  } catch (error) {
    if (!signal.aborted) {
      const tries = Math.max(...taken.map((source) => source.tries));
      const waitMs = RETRY_AFTER_MS[Math.min(tries, RETRY_AFTER_MS.length) - 1] ?? 0;
      const reason = error instanceof EmbeddingsFailed ? error.message : 'the vectors could not be stored';
      await failSources(deps.db, model, [...sources.values()], { error: reason, dueAt: after(waitMs) });
    }
    throw error;
  }
  return taken.length;
}

/** The source of each chunk. */
const ofSources = (
  sources: ReadonlyMap<string, SourceToEmbed>,
  chunks: readonly ChunkToEmbed[],
): SourceToEmbed[] => chunks.flatMap(({ sourceId }) => sources.get(sourceId) ?? []);

/** The prefix of `chunks` that fits one request. */
function batchOf(chunks: readonly ChunkToEmbed[]): ChunkToEmbed[] {
  let capacity = MAX_CHARS;
  return chunks.filter((chunk, at) => {
    capacity -= textOf(chunk).length;
    return at === 0 || capacity >= 0;
  });
}

/** The text of a chunk with its heading. */
function textOf({ heading, question, body }: ChunkToEmbed): string {
  const text = [heading, question ?? '', body].filter((part) => part !== '').join('\n');
  return text.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, '');
}

function toVector(
  sources: ReadonlyMap<string, SourceToEmbed>,
  chunk: ChunkToEmbed,
  vector: Float32Array | undefined,
): NewVector[] {
  const source = sources.get(chunk.sourceId);
  return source === undefined || vector === undefined
    ? []
    : [{ source, seq: chunk.seq, vector: packVector(vector) }];
}

const ROWS = 200;

/** Copies the model's vectors that are not in the pgvector index yet into it. */
export async function fillMissingNear(db: Db, model: string, signal: AbortSignal): Promise<void> {
  const dimensions = await unindexedDimensions(db, model);
  if (dimensions === null || dimensions > MOST_INDEXED_DIMENSIONS) return;
  await createVectorIndex(db, model, dimensions);
  while (!signal.aborted) {
    const rows = await unindexedVectors(db, model, dimensions, ROWS);
    if (rows.length === 0) return;
    await indexVectors(
      db,
      model,
      rows.map((row) => ({ ...row, numbers: unpackVectors([row.vector]) })),
    );
  }
}
