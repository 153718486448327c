import type { Clock } from '../../shared/clock.ts';
import type { Db } from '../../store/database.ts';
import { countChunks, failSource, replaceChunks, type SourceRef } from '../../store/knowledge-chunks.ts';
import { lockKnowledgeBase } from '../../store/knowledge.ts';
import type { Block } from './blocks.ts';
import { chunkBlocks } from './chunk-blocks.ts';
import { toStored } from './search-form.ts';

/** What a knowledge base holds at most: a search reads all of it. */
const MAX_CHUNKS_OF_BASE = 10_000;

/**
 * Stores what a source was read to be. The knowledge base is locked, so that sources finished at once are counted
 * one after the other. Nothing happens when the source was removed meanwhile.
 */
export async function finishSource(
  deps: { db: Db; clock: Clock },
  ref: SourceRef,
  blocks: readonly Block[],
): Promise<void> {
  const chunks = chunkBlocks(blocks);
  if (chunks.length === 0) return refuseSource(deps, ref, 'holds no text');
  const at = new Date(deps.clock.now());
  return deps.db.transaction().execute(async (tx) => {
    const base = await lockKnowledgeBase(tx, ref.workspaceId, ref.kbId);
    if (base === undefined) return;
    const present = await countChunks(tx, ref.workspaceId, ref.kbId);
    if (present + chunks.length > MAX_CHUNKS_OF_BASE) {
      await failSource(tx, ref, 'is more text than the knowledge base has room for', at);
    } else await replaceChunks(tx, ref, chunks.map(toStored), at);
  });
}

/** A source that cannot be read stays with the reason. */
export const refuseSource = (deps: { db: Db; clock: Clock }, ref: SourceRef, reason: string): Promise<void> =>
  failSource(deps.db, ref, reason, new Date(deps.clock.now()));
