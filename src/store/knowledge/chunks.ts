import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import { bytesOf } from './usage.ts';

export interface SourceRef {
  readonly workspaceId: string;
  readonly kbId: string;
  readonly sourceId: string;
}

export interface NewChunk {
  readonly heading: string;
  readonly question: string | null;
  /** The normalised question, for exact matches. */
  readonly asked: string | null;
  readonly body: string;
  /** A tsvector in its text form. */
  readonly search: string;
}

export interface ChunkRow {
  readonly kbId: string;
  readonly sourceId: string;
  readonly sourceKind: 'file' | 'url' | 'faq';
  readonly sourceName: string;
  readonly seq: number;
  readonly heading: string;
  readonly question: string | null;
  readonly body: string;
}

/** Replaces a source's chunks. False: the source was deleted, nothing is written. */
export async function replaceChunks(
  tx: Tx,
  ref: SourceRef,
  chunks: readonly NewChunk[],
  at: Date,
): Promise<boolean> {
  const source = await tx
    .updateTable('knowledge_sources')
    .set({
      status: 'ready',
      error: null,
      content: null,
      chunk_count: chunks.length,
      stored_bytes: bytesOf(chunks),
      updated_at: at,
      vector_model: null,
      vector_error: null,
      vector_due_at: null,
    })
    .where('workspace_id', '=', ref.workspaceId)
    .where('kb_id', '=', ref.kbId)
    .where('id', '=', ref.sourceId)
    .returning('id')
    .executeTakeFirst();
  if (source === undefined) return false;
  await tx
    .deleteFrom('knowledge_chunks')
    .where('workspace_id', '=', ref.workspaceId)
    .where('kb_id', '=', ref.kbId)
    .where('source_id', '=', ref.sourceId)
    .execute();
  if (chunks.length > 0) {
    await sql`
      insert into knowledge_chunks (workspace_id, kb_id, source_id, seq, heading, question, asked, body, search)
      select ${ref.workspaceId}, ${ref.kbId}, ${ref.sourceId}, c.seq, c.heading, c.question, c.asked, c.body,
             c.search::tsvector
      from unnest(${chunks.map((_, seq) => seq)}::int[], ${chunks.map((c) => c.heading)}::text[],
                  ${chunks.map((c) => c.question)}::text[], ${chunks.map((c) => c.asked)}::text[],
                  ${chunks.map((c) => c.body)}::text[], ${chunks.map((c) => c.search)}::text[])
        as c (seq, heading, question, asked, body, search)`.execute(tx);
  }
  return true;
}

/** Marks a pending source as failed, with the reason. */
export async function failSource(db: Db, ref: SourceRef, error: string, at: Date): Promise<void> {
  await db
    .updateTable('knowledge_sources')
    .set({ status: 'failed', error, content: null, stored_bytes: 0, updated_at: at })
    .where('workspace_id', '=', ref.workspaceId)
    .where('kb_id', '=', ref.kbId)
    .where('id', '=', ref.sourceId)
    .where('status', '=', 'pending')
    .execute();
}

/** At most `limit` chunks of the knowledge bases that contain any of the terms, best full-text rank first. */
export async function searchChunks(
  db: Db,
  at: { readonly workspaceId: string; readonly kbIds: readonly string[] },
  query: { tsquery: string; asked: string },
  limit: number,
): Promise<ChunkRow[]> {
  const { rows } = await sql<ChunkRow>`
    select c.kb_id as "kbId", c.source_id as "sourceId", s.kind as "sourceKind", s.name as "sourceName", c.seq, c.heading, c.question,
           c.body
    from knowledge_chunks c
    join knowledge_sources s on s.workspace_id = c.workspace_id and s.kb_id = c.kb_id and s.id = c.source_id
    where c.workspace_id = ${at.workspaceId} and c.kb_id = any(${[...at.kbIds]}::uuid[])
      and (c.search @@ ${query.tsquery}::tsquery or c.asked = ${query.asked})
    order by coalesce(c.asked = ${query.asked}, false) desc, ts_rank(c.search, ${query.tsquery}::tsquery, 1) desc,
             c.source_id, c.seq
    limit ${limit}`.execute(db);
  return rows;
}

/** At most `limit` chunks of the knowledge bases, question-and-answer pairs first. */
export async function readChunks(
  db: Db,
  workspaceId: string,
  kbIds: readonly string[],
  limit: number,
): Promise<ChunkRow[]> {
  if (kbIds.length === 0) return [];
  const { rows } = await sql<ChunkRow>`
    select c.kb_id as "kbId", c.source_id as "sourceId", s.kind as "sourceKind", s.name as "sourceName", c.seq, c.heading, c.question,
           c.body
    from knowledge_chunks c
    join knowledge_sources s on s.workspace_id = c.workspace_id and s.kb_id = c.kb_id and s.id = c.source_id
    where c.workspace_id = ${workspaceId} and c.kb_id = any(${[...kbIds]}::uuid[])
    order by c.question is null, s.created_at, s.id, c.seq
    limit ${limit}`.execute(db);
  return rows;
}

/** The chunks with these keys, in no order; deleted ones are left out. */
export async function chunksAt(
  db: Db,
  workspaceId: string,
  keys: readonly { readonly kbId: string; readonly sourceId: string; readonly seq: number }[],
): Promise<ChunkRow[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<ChunkRow>`
    select c.kb_id as "kbId", c.source_id as "sourceId", s.kind as "sourceKind", s.name as "sourceName", c.seq,
           c.heading, c.question, c.body
    from unnest(${keys.map((k) => k.kbId)}::uuid[], ${keys.map((k) => k.sourceId)}::uuid[],
                ${keys.map((k) => k.seq)}::int[]) as k (kb_id, source_id, seq)
    join knowledge_chunks c on c.workspace_id = ${workspaceId} and c.kb_id = k.kb_id
      and c.source_id = k.source_id and c.seq = k.seq
    join knowledge_sources s on s.workspace_id = c.workspace_id and s.kb_id = c.kb_id and s.id = c.source_id`.execute(
    db,
  );
  return rows;
}

/** A page of a source's chunks, in their order. */
export function chunksOfSource(
  db: Db,
  ref: SourceRef,
  offset: number,
  limit: number,
): Promise<Pick<ChunkRow, 'seq' | 'heading' | 'question' | 'body'>[]> {
  return (
    db
      .selectFrom('knowledge_chunks')
      .select(['seq', 'heading', 'question', 'body'])
      .where('workspace_id', '=', ref.workspaceId)
      .where('kb_id', '=', ref.kbId)
      .where('source_id', '=', ref.sourceId)
      // The positions of a source have no gaps.
      .where('seq', '>=', offset)
      .orderBy('seq')
      .limit(limit)
      .execute()
  );
}

export async function countChunks(db: Db, workspaceId: string, kbId: string): Promise<number> {
  const row = await db
    .selectFrom('knowledge_chunks')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('kb_id', '=', kbId)
    .executeTakeFirstOrThrow();
  return row.count;
}
