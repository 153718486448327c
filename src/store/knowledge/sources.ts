import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** A source without its content. */
export interface SourceRow {
  id: string;
  kbId: string;
  kind: 'file' | 'url' | 'faq';
  name: string;
  answer: string | null;
  format: string | null;
  sizeBytes: number | null;
  status: 'pending' | 'ready' | 'failed';
  error: string | null;
  chunkCount: number;
  vectorModel: string | null;
  vectorTarget: string | null;
  vectorError: string | null;
  createdAt: Date;
  /** When it was added, read, or failed. */
  updatedAt: Date;
}

const SOURCE = [
  'id',
  'kb_id as kbId',
  'kind',
  'name',
  'answer',
  'format',
  'size_bytes as sizeBytes',
  'status',
  'error',
  'chunk_count as chunkCount',
  'vector_model as vectorModel',
  'vector_target as vectorTarget',
  'vector_error as vectorError',
  'created_at as createdAt',
  'updated_at as updatedAt',
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
        stored_bytes: source.content?.length ?? 0,
        status: 'pending' as const,
        created_at: at,
        updated_at: at,
      })),
    )
    .execute();
}

/** The sources of one knowledge base (null: of all in the workspace), oldest first. */
export function listSources(db: Db, workspaceId: string, kbId: string | null): Promise<SourceRow[]> {
  const query = db.selectFrom('knowledge_sources').select(SOURCE).where('workspace_id', '=', workspaceId);
  return (kbId === null ? query : query.where('kb_id', '=', kbId))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export function findSourceRow(
  db: Db,
  at: { workspaceId: string; kbId: string; sourceId: string },
): Promise<SourceRow | undefined> {
  return db
    .selectFrom('knowledge_sources')
    .select(SOURCE)
    .where('workspace_id', '=', at.workspaceId)
    .where('kb_id', '=', at.kbId)
    .where('id', '=', at.sourceId)
    .executeTakeFirst();
}

export interface SourceCount {
  kbId: string;
  kind: SourceRow['kind'];
  status: SourceRow['status'];
  /** The state of its embedding by `model`; null: it has no chunks to embed. */
  embedding: 'pending' | 'completed' | 'failed' | null;
  count: number;
}

/** Counts the sources of each knowledge base of the workspace by kind and state. */
export async function countSources(
  db: Db,
  workspaceId: string,
  model: string | null,
): Promise<SourceCount[]> {
  const { rows } = await sql<SourceCount>`
    select kb_id as "kbId", kind, status,
           case when status <> 'ready' or chunk_count = 0 then null
                when vector_model = ${model}::text then 'completed'
                when vector_target = ${model}::text and vector_error is not null then 'failed'
                else 'pending' end as embedding,
           count(*)::int as count
    from knowledge_sources where workspace_id = ${workspaceId}
    group by 1, 2, 3, 4`.execute(db);
  return rows;
}

/** How many sources of a knowledge base wait to be read, were read, and failed. */
export interface SourceStates {
  readonly pending: number;
  readonly ready: number;
  readonly failed: number;
}

export async function countStates(db: Db, workspaceId: string, kbId: string): Promise<SourceStates> {
  const { rows } = await sql<SourceStates>`
    select count(*) filter (where status = 'pending')::int as pending,
           count(*) filter (where status = 'ready')::int as ready,
           count(*) filter (where status = 'failed')::int as failed
    from knowledge_sources where workspace_id = ${workspaceId} and kb_id = ${kbId}`.execute(db);
  return rows[0] ?? { pending: 0, ready: 0, failed: 0 };
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

/** A source with its content, to be parsed. */
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
