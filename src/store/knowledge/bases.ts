import { sql } from 'kysely';
import type { Db } from '../database.ts';

export interface KnowledgeBaseRow {
  id: string;
  name: string;
  createdAt: Date;
  updatedAt: Date;
}

const BASE = ['id', 'name', 'created_at as createdAt', 'updated_at as updatedAt'] as const;

export async function insertKnowledgeBase(
  db: Db,
  workspaceId: string,
  base: { id: string; name: string },
  at: Date,
): Promise<void> {
  await db
    .insertInto('knowledge_bases')
    .values({ workspace_id: workspaceId, ...base, created_at: at, updated_at: at })
    .execute();
}

export async function updateKnowledgeBase(
  db: Db,
  workspaceId: string,
  kbId: string,
  name: string | null,
  at: Date,
): Promise<void> {
  await db
    .updateTable('knowledge_bases')
    .set({ updated_at: at, ...(name === null ? {} : { name }) })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', kbId)
    .execute();
}

export async function deleteKnowledgeBase(db: Db, workspaceId: string, kbId: string): Promise<void> {
  await db
    .deleteFrom('knowledge_bases')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', kbId)
    .execute();
}

export function findKnowledgeBase(
  db: Db,
  workspaceId: string,
  kbId: string,
): Promise<KnowledgeBaseRow | undefined> {
  return db
    .selectFrom('knowledge_bases')
    .select(BASE)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', kbId)
    .executeTakeFirst();
}

/** Locks a knowledge base until commit, which serialises attaching, changing and deleting it. */
export function lockKnowledgeBase(
  db: Db,
  workspaceId: string,
  kbId: string,
): Promise<KnowledgeBaseRow | undefined> {
  return db
    .selectFrom('knowledge_bases')
    .select(BASE)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', kbId)
    .forUpdate()
    .executeTakeFirst();
}

/** Newest first. */
export function listKnowledgeBases(db: Db, workspaceId: string): Promise<KnowledgeBaseRow[]> {
  return db
    .selectFrom('knowledge_bases')
    .select(BASE)
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Names of the knowledge bases among `ids` that exist in the workspace. */
export async function knowledgeBaseNames(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('knowledge_bases')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row.name]));
}

export interface AttachedAgent {
  id: string;
  name: string;
}

/** Agents that are not archived and have a version that uses the knowledge base. */
export async function agentsWith(db: Db, workspaceId: string, kbId: string): Promise<AttachedAgent[]> {
  const { rows } = await sql<AttachedAgent>`
    select distinct a.id, a.display_name as name
    from agent_versions v join agents a on a.workspace_id = v.workspace_id and a.id = v.agent_id
    where v.workspace_id = ${workspaceId} and a.archived_at is null
      and v.draft is distinct from 'closed' and v.config -> 'knowledge_base_ids' ? ${kbId}::text
    order by 2, 1`.execute(db);
  return rows;
}
