import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { SourceRef } from './chunks.ts';

export interface SourceToEmbed extends SourceRef {
  /** When its chunks were written; vectors of older chunks are not stored (fencing). */
  readonly writtenAt: Date;
  /** This attempt, from 1. */
  readonly tries: number;
}

/**
 * Leases sources without vectors of this model, for one attempt each, until `leaseUntil`. A source that failed before
 * is leased alone, so that it cannot fail a batch with others.
 */
export async function takeSourcesToEmbed(
  db: Db,
  input: { readonly model: string; readonly now: Date; readonly leaseUntil: Date; readonly limit: number },
): Promise<SourceToEmbed[]> {
  const { rows } = await sql<SourceToEmbed>`
    with due as (
      select workspace_id, kb_id, id, case when vector_target = ${input.model} then vector_tries else 0 end as tries
      from knowledge_sources
      where status = 'ready' and chunk_count > 0
        and (vector_model is null or vector_model < ${input.model} or vector_model > ${input.model})
        and (vector_due_at is null or vector_due_at <= ${input.now}
             or (vector_target is distinct from ${input.model} and vector_error is not null))
      order by coalesce(vector_target = ${input.model} and vector_tries > 0, false), vector_due_at nulls first
      limit ${input.limit} for update skip locked),
    taken as (
      select * from due where tries = 0
      union all
      (select * from due where tries > 0 and not exists (select from due where tries = 0) limit 1))
    update knowledge_sources s set vector_target = ${input.model}, vector_tries = t.tries + 1,
           vector_due_at = ${input.leaseUntil}
    from taken t where s.workspace_id = t.workspace_id and s.kb_id = t.kb_id and s.id = t.id
    returning s.workspace_id as "workspaceId", s.kb_id as "kbId", s.id as "sourceId",
              s.updated_at as "writtenAt", s.vector_tries as tries`.execute(db);
  return rows;
}

/** Makes all failed sources due now, because the settings may have been corrected. */
export async function retryFailedVectors(db: Db, model: string): Promise<void> {
  await sql`
    update knowledge_sources set vector_due_at = null
    where status = 'ready' and chunk_count > 0 and vector_error is not null and vector_target = ${model}
      and (vector_model is null or vector_model < ${model} or vector_model > ${model})`.execute(db);
}

export interface ChunkToEmbed {
  readonly sourceId: string;
  readonly seq: number;
  readonly heading: string;
  readonly question: string | null;
  readonly body: string;
}

/** At most `limit` chunks of the sources without a vector of this model. */
export async function chunksToEmbed(
  db: Db,
  sources: readonly SourceRef[],
  model: string,
  limit: number,
): Promise<ChunkToEmbed[]> {
  const { rows } = await sql<ChunkToEmbed>`
    select c.source_id as "sourceId", c.seq, c.heading, c.question, c.body
    from unnest(${sources.map((s) => s.workspaceId)}::uuid[], ${sources.map((s) => s.kbId)}::uuid[],
                ${sources.map((s) => s.sourceId)}::uuid[]) as s (workspace_id, kb_id, source_id)
    join knowledge_chunks c on c.workspace_id = s.workspace_id and c.kb_id = s.kb_id and c.source_id = s.source_id
    left join knowledge_vectors v on v.workspace_id = c.workspace_id and v.kb_id = c.kb_id
      and v.source_id = c.source_id and v.seq = c.seq
    where v.model is distinct from ${model}
    order by c.source_id, c.seq limit ${limit}`.execute(db);
  return rows;
}

export interface NewVector {
  readonly source: SourceToEmbed;
  readonly seq: number;
  readonly vector: Buffer;
}

/**
 * Stores the vectors of chunks that have not changed since they were read, and renews their sources' leases until
 * `leaseUntil`. Returns the ids of these sources.
 */
export async function storeVectors(
  db: Db,
  model: string,
  vectors: readonly NewVector[],
  leaseUntil: Date,
): Promise<Set<string>> {
  return db.transaction().execute(async (tx) => {
    const sources = [...new Set(vectors.map(({ source }) => source))];
    const { rows } = await sql<{ id: string }>`
      update knowledge_sources s set vector_due_at = ${leaseUntil}
      from unnest(${sources.map((s) => s.workspaceId)}::uuid[], ${sources.map((s) => s.kbId)}::uuid[],
                  ${sources.map((s) => s.sourceId)}::uuid[], ${sources.map((s) => s.writtenAt)}::timestamptz[])
        as t (workspace_id, kb_id, id, written_at)
      where s.workspace_id = t.workspace_id and s.kb_id = t.kb_id and s.id = t.id and s.updated_at = t.written_at
        and s.vector_target = ${model}
      returning s.id`.execute(tx);
    const held = new Set(rows.map(({ id }) => id));
    const kept = vectors.filter(({ source }) => held.has(source.sourceId));
    // Deletes the row of another model and does not update it: its indexed column would remain.
    await sql`
      delete from knowledge_vectors v
      using unnest(${kept.map(({ source }) => source.workspaceId)}::uuid[],
                   ${kept.map(({ source }) => source.kbId)}::uuid[],
                   ${kept.map(({ source }) => source.sourceId)}::uuid[], ${kept.map(({ seq }) => seq)}::int[])
        as k (workspace_id, kb_id, source_id, seq)
      where v.workspace_id = k.workspace_id and v.kb_id = k.kb_id and v.source_id = k.source_id and v.seq = k.seq`.execute(
      tx,
    );
    await sql`
      insert into knowledge_vectors (workspace_id, kb_id, source_id, seq, model, vector)
      select v.workspace_id, v.kb_id, v.source_id, v.seq, ${model}, v.vector
      from unnest(${kept.map(({ source }) => source.workspaceId)}::uuid[],
                  ${kept.map(({ source }) => source.kbId)}::uuid[],
                  ${kept.map(({ source }) => source.sourceId)}::uuid[], ${kept.map(({ seq }) => seq)}::int[],
                  ${kept.map(({ vector }) => vector)}::bytea[])
        as v (workspace_id, kb_id, source_id, seq, vector)`.execute(tx);
    return held;
  });
}

/**
 * Marks the sources as embedded by the model, except those whose chunks have changed: they are leased again. Another
 * model may lease them from `settledUntil`, so that processes with different models do not replace each other's vectors
 * in an endless loop.
 */
export async function finishSources(
  db: Db,
  model: string,
  sources: readonly SourceToEmbed[],
  settledUntil: Date,
): Promise<void> {
  await sql`
    update knowledge_sources s set vector_model = ${model}, vector_error = null, vector_due_at = ${settledUntil}
    from unnest(${sources.map((s) => s.workspaceId)}::uuid[], ${sources.map((s) => s.kbId)}::uuid[],
                ${sources.map((s) => s.sourceId)}::uuid[], ${sources.map((s) => s.writtenAt)}::timestamptz[])
      as t (workspace_id, kb_id, id, written_at)
    where s.workspace_id = t.workspace_id and s.kb_id = t.kb_id and s.id = t.id and s.updated_at = t.written_at
      and s.vector_target = ${model}`.execute(db);
}

/** Stores a failed attempt; the next one is due at `dueAt`. Full-text search still finds the chunks. */
export async function failSources(
  db: Db,
  model: string,
  sources: readonly SourceToEmbed[],
  end: { readonly error: string; readonly dueAt: Date },
): Promise<void> {
  await sql`
    update knowledge_sources s set vector_error = ${end.error}, vector_due_at = ${end.dueAt}
    from unnest(${sources.map((s) => s.workspaceId)}::uuid[], ${sources.map((s) => s.kbId)}::uuid[],
                ${sources.map((s) => s.sourceId)}::uuid[]) as t (workspace_id, kb_id, id)
    where s.workspace_id = t.workspace_id and s.kb_id = t.kb_id and s.id = t.id
      and s.vector_target = ${model}`.execute(db);
}

/** A cache key of each knowledge base's vectors, which changes with any of them. Bases without vectors are left out. */
export async function vectorStamps(
  db: Db,
  workspaceId: string,
  kbIds: readonly string[],
  model: string,
): Promise<{ kbId: string; stamp: string; chunks: number }[]> {
  const { rows } = await sql<{ kbId: string; stamp: string; chunks: number }>`
    select kb_id as "kbId", md5(string_agg(id::text || updated_at::text, ',' order by id)) as stamp,
           sum(chunk_count)::int as chunks
    from knowledge_sources
    where workspace_id = ${workspaceId} and kb_id = any(${[...kbIds]}::uuid[]) and vector_model = ${model}
      and status = 'ready' and chunk_count > 0
    group by kb_id order by kb_id`.execute(db);
  return rows;
}

export interface ChunkKey {
  readonly kbId: string;
  readonly sourceId: string;
  readonly seq: number;
}

/** The next `limit` vectors of one knowledge base in chunk order, after the cursor `after`. */
export async function readVectors(
  db: Db,
  at: { readonly workspaceId: string; readonly kbId: string; readonly model: string },
  after: { readonly sourceId: string; readonly seq: number },
  limit: number,
): Promise<{ sourceId: string; seq: number; vector: Buffer }[]> {
  const { rows } = await sql<{ sourceId: string; seq: number; vector: Buffer }>`
    select v.source_id as "sourceId", v.seq, v.vector
    from knowledge_vectors v
    where v.workspace_id = ${at.workspaceId} and v.kb_id = ${at.kbId} and v.model = ${at.model}
      and (v.source_id, v.seq) > (${after.sourceId}::uuid, ${after.seq}::int)
    order by v.source_id, v.seq limit ${limit}`.execute(db);
  return rows;
}
