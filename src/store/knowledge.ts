import { sql } from 'kysely';
import type { Db } from './database.ts';

export interface KnowledgeBaseRow {
  id: string;
  name: string;
  created_at: Date;
  updated_at: Date;
}
const BASE = ['id', 'name', 'created_at', 'updated_at'] as const;

/** A source as it is shown; its content stays in the database. */
export interface SourceRow {
  id: string;
  kb_id: string;
  kind: 'file' | 'url' | 'faq';
  name: string;
  answer: string | null;
  format: string | null;
  size_bytes: number | null;
  status: 'pending' | 'ready' | 'failed';
  error: string | null;
  chunk_count: number;
  vector_model: string | null;
  vector_target: string | null;
  vector_error: string | null;
  created_at: Date;
}
const SOURCE = [
  'id',
  'kb_id',
  'kind',
  'name',
  'answer',
  'format',
  'size_bytes',
  'status',
  'error',
  'chunk_count',
  'vector_model',
  'vector_target',
  'vector_error',
  'created_at',
] as const;

export interface NewSource {
  readonly id: string;
  readonly kind: 'file' | 'url' | 'faq';
  readonly name: string;
  readonly answer: string | null;
  readonly format: string | null;
  readonly content: Buffer | null;
  readonly sizeBytes: number | null;
}

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

/** Locks it for the rest of the transaction: attaching, changing and deleting follow one another. */
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
/** Agents, not archived, of which a version uses the knowledge base. */
export async function agentsWith(db: Db, workspaceId: string, kbId: string): Promise<AttachedAgent[]> {
  const { rows } = await sql<AttachedAgent>`
    select distinct a.id, a.display_name as name
    from agent_versions v join agents a on a.workspace_id = v.workspace_id and a.id = v.agent_id
    where v.workspace_id = ${workspaceId} and a.archived_at is null
      and v.config -> 'knowledge_base_ids' ? ${kbId}::text
    order by 2, 1`.execute(db);
  return rows;
}

export async function insertSources(
  db: Db,
  workspaceId: string,
  kbId: string,
  sources: readonly NewSource[],
  at: Date,
): Promise<void> {
  if (sources.length === 0) return;
  await db
    .insertInto('knowledge_sources')
    .values(
      sources.map((source) => ({
        workspace_id: workspaceId,
        kb_id: kbId,
        id: source.id,
        kind: source.kind,
        name: source.name,
        answer: source.answer,
        format: source.format,
        content: source.content,
        size_bytes: source.sizeBytes,
        status: 'pending' as const,
        created_at: at,
        updated_at: at,
      })),
    )
    .execute();
}

/** Of one knowledge base, or of all of the workspace. In the order they came. */
export function listSources(db: Db, workspaceId: string, kbId: string | null): Promise<SourceRow[]> {
  const query = db.selectFrom('knowledge_sources').select(SOURCE).where('workspace_id', '=', workspaceId);
  return (kbId === null ? query : query.where('kb_id', '=', kbId))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export interface SourceCount {
  kb_id: string;
  kind: SourceRow['kind'];
  status: SourceRow['status'];
  /** By this model; null: there is nothing to embed. */
  embedding: 'pending' | 'completed' | 'failed' | null;
  count: number;
}
/** How many sources of each kind and state every knowledge base of the workspace has. */
export async function countSources(
  db: Db,
  workspaceId: string,
  model: string | null,
): Promise<SourceCount[]> {
  const { rows } = await sql<SourceCount>`
    select kb_id, kind, status,
           case when status <> 'ready' or chunk_count = 0 then null
                when vector_model = ${model}::text then 'completed'
                when vector_target = ${model}::text and vector_error is not null then 'failed'
                else 'pending' end as embedding,
           count(*)::int as count
    from knowledge_sources where workspace_id = ${workspaceId}
    group by 1, 2, 3, 4`.execute(db);
  return rows;
}

export async function deleteSources(
  db: Db,
  workspaceId: string,
  kbId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await db
    .deleteFrom('knowledge_sources')
    .where('workspace_id', '=', workspaceId)
    .where('kb_id', '=', kbId)
    .where('id', 'in', ids)
    .execute();
}

export interface PendingSource {
  id: string;
  kind: 'file' | 'url' | 'faq';
  name: string;
  format: string | null;
  content: Buffer | null;
  status: string;
}

/** A source with its content, to be read. */
export function findSource(
  db: Db,
  at: { workspaceId: string; kbId: string; sourceId: string },
): Promise<PendingSource | undefined> {
  return db
    .selectFrom('knowledge_sources')
    .select(['id', 'kind', 'name', 'format', 'content', 'status'])
    .where('workspace_id', '=', at.workspaceId)
    .where('kb_id', '=', at.kbId)
    .where('id', '=', at.sourceId)
    .executeTakeFirst();
}
