import { EmbeddingsFailed, type Embedder } from '../../shared/knowledge/embedder.ts';
import { packVector } from '../../shared/knowledge/vectors.ts';
import type { Clock } from '../../shared/clock.ts';
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
} from '../../store/knowledge-vectors.ts';

export interface EmbedDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly embedder: Embedder;
}

const SOURCES_AT_ONCE = 64;
/** Of one request. */
const MAX_TEXTS = 64;
const MAX_CHARS = 60_000;
/** Of one text: models read only so much, and some refuse more. */
const MAX_TEXT = 2000;
const REQUEST_MS = 30_000;
/** Longer than a request and the storing of its answer may take. */
const LEASE_MS = 120_000;
const RETRY_AFTER_MS = [5000, 30_000, 120_000, 600_000, 3_600_000] as const;
const SETTLED_MS = 600_000;

/** Embeds some of what has no vectors of this model yet. Tells how many sources were looked at; 0: there were none. */
export async function embedSources(deps: EmbedDeps, signal: AbortSignal): Promise<number> {
  const model = deps.embedder.name;
  const after = (ms: number): Date => new Date(deps.clock.now() + ms);
  const taken = await takeSourcesToEmbed(deps.db, {
    model,
    now: after(0),
    leaseUntil: after(LEASE_MS),
    limit: SOURCES_AT_ONCE,
  });
  if (taken.length === 0) return 0;
  const sources = new Map(taken.map((source) => [source.sourceId, source]));
  try {
    for (;;) {
      const batch = batchOf(await chunksToEmbed(deps.db, [...sources.values()], model, MAX_TEXTS));
      if (batch.length === 0) break;
      const vectors = await deps.embedder.embed(batch.map(textOf), { timeoutMs: REQUEST_MS, signal });
      const made = batch.flatMap((chunk, at) => toVector(sources, chunk, vectors[at]));
      const held = await storeVectors(deps.db, model, made, after(LEASE_MS));
      // One whose chunks were replaced or removed meanwhile is another one now.
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

/** As many as one request may hold, in characters too. */
function batchOf(chunks: readonly ChunkToEmbed[]): ChunkToEmbed[] {
  let room = MAX_CHARS;
  return chunks.filter((chunk, at) => {
    room -= textOf(chunk).length;
    return at === 0 || room >= 0;
  });
}

/** What a chunk says, with what it stands under. */
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
