import type { Clock } from '../../shared/clock.ts';
import type { Db } from '../../store/database.ts';
import {
  countChunks,
  failSource,
  replaceChunks,
  type NewChunk,
  type SourceRef,
} from '../../store/knowledge/chunks.ts';
import { lockKnowledgeBase } from '../../store/knowledge/bases.ts';
import { bytesOf, lockKnowledgeUsage } from '../../store/knowledge/usage.ts';

/** Chunks per knowledge base: a search reads all of them. */
const MAX_CHUNKS_OF_BASE = 10_000;

/**
 * Stores the chunks of an ingested source. Locks the knowledge base and the workspace's usage, so that concurrent jobs
 * cannot exceed their quotas.
 * Does nothing if the source was removed in the meantime.
 */
export async function finishSource(
  deps: { db: Db; clock: Clock; knowledgeMaxBytes: number },
  ref: SourceRef,
  chunks: readonly NewChunk[],
): Promise<void> {
  if (chunks.length === 0) return refuseSource(deps, ref, 'holds no text');
  const at = new Date(deps.clock.now());
  return deps.db.transaction().execute(async (tx) => {
    const base = await lockKnowledgeBase(tx, ref.workspaceId, ref.kbId);
    if (base === undefined) return;
    const present = await countChunks(tx, ref.workspaceId, ref.kbId);
    if (present + chunks.length > MAX_CHUNKS_OF_BASE) {
      await failSource(tx, ref, 'exceeds the text quota of the knowledge base', at);
      return;
    }
    const others = await lockKnowledgeUsage(tx, ref.workspaceId, ref.sourceId);
    if (others + bytesOf(chunks) > deps.knowledgeMaxBytes) {
      await failSource(tx, ref, 'exceeds the knowledge quota of the workspace', at);
    } else await replaceChunks(tx, ref, chunks, at);
  });
}

/** Marks a source as failed with the reason. */
export const refuseSource = (deps: { db: Db; clock: Clock }, ref: SourceRef, reason: string): Promise<void> =>
  failSource(deps.db, ref, reason, new Date(deps.clock.now()));
