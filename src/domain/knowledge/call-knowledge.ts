import type { KnowledgeItem } from '../../shared/knowledge/knowledge-index.ts';
import type { Db } from '../../store/database.ts';
import { readChunks } from '../../store/knowledge-chunks.ts';
import type { VersionConfig } from '../agents/agent-version.ts';
import { toItem } from './search-knowledge.ts';

/** What one call carries at most: questions with answers first, then passages in the order they came. */
const MAX_ITEMS = 200;
const MAX_BYTES = 256 * 1024;

/** What an agent's version may look up during a call, read when the call begins. */
export async function callKnowledge(
  db: Db,
  workspaceId: string,
  config: VersionConfig,
): Promise<KnowledgeItem[]> {
  const ids = config.knowledge_base_ids ?? [];
  if (ids.length === 0) return [];
  const items: KnowledgeItem[] = [];
  let room = MAX_BYTES;
  for (const row of await readChunks(db, workspaceId, ids, MAX_ITEMS)) {
    const item = toItem(row);
    room -= Buffer.byteLength(JSON.stringify(item));
    if (room < 0) break;
    items.push(item);
  }
  return items;
}
