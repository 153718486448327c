import type { VersionConfig } from '../../store/json/agent-version.ts';
import type { KnowledgeItem } from '../../shared/knowledge/knowledge-index.ts';
import type { Db } from '../../store/database.ts';
import { readChunks } from '../../store/knowledge/chunks.ts';
import { toItem } from './search-knowledge.ts';

/** Limits per call: FAQs first, then passages in document order. */
const MAX_ITEMS = 200;
const MAX_BYTES = 256 * 1024;

/** The knowledge that a call searches without a database, read at call start. */
export async function callKnowledge(
  db: Db,
  workspaceId: string,
  config: VersionConfig,
): Promise<KnowledgeItem[]> {
  const ids = config.knowledgeBaseIds ?? [];
  if (ids.length === 0) return [];
  const items: KnowledgeItem[] = [];
  let capacity = MAX_BYTES;
  for (const row of await readChunks(db, workspaceId, ids, MAX_ITEMS)) {
    const item = { ...toItem(row), base: row.kbId };
    capacity -= Buffer.byteLength(JSON.stringify(item));
    if (capacity < 0) break;
    items.push(item);
  }
  return items;
}
