import type { Clock } from '../../shared/clock.ts';
import type { Db, Tx } from '../../store/database.ts';
import {
  countChunks,
  failSource,
  replaceChunks,
  type NewChunk,
  type SourceRef,
} from '../../store/knowledge/chunks.ts';
import { lockKnowledgeBase } from '../../store/knowledge/bases.ts';
import { bytesOf, lockKnowledgeUsage } from '../../store/knowledge/usage.ts';
import { noteProcessed } from './knowledge-processed.ts';

/** Chunks per knowledge base: a search reads all of them. */
const MAX_CHUNKS_OF_BASE = 10_000;

interface FinishDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/**
 * Stores the chunks of an ingested source. Locks the knowledge base and the workspace's usage, so that concurrent jobs
 * cannot exceed their quotas.
 * Does nothing if the source was removed in the meantime.
 */
export async function finishSource(
  deps: FinishDeps & { readonly knowledgeMaxBytes: number },
  ref: SourceRef,
  chunks: readonly NewChunk[],
): Promise<void> {
  if (chunks.length === 0) return refuseSource(deps, ref, 'holds no text');
  return inBase(deps, ref, async (tx, at) => {
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
export const refuseSource = (deps: FinishDeps, ref: SourceRef, reason: string): Promise<void> =>
  inBase(deps, ref, (tx, at) => failSource(tx, ref, reason, at));

/** Changes a source under the lock of its knowledge base, with the event of the last one; nothing if the base is gone. */
function inBase(
  { db, clock }: FinishDeps,
  { workspaceId, kbId }: SourceRef,
  change: (tx: Tx, at: Date) => Promise<void>,
): Promise<void> {
  const at = new Date(clock.now());
  return db.transaction().execute(async (tx) => {
    const base = await lockKnowledgeBase(tx, workspaceId, kbId);
    if (base === undefined) return;
    await noteProcessed(tx, { workspaceId, kbId, kbName: base.name }, at, () => change(tx, at));
  });
}
