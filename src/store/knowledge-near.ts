import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from './database.ts';
import type { ChunkKey } from './knowledge-vectors.ts';

/** What pgvector indexes at most. */
export const MOST_INDEXED_DIMENSIONS = 2000;
/** One number for all of our processes: two that change the table at once take turns. */
const LOCK = 7_203_114_523;
/** Below this an ordered reading of all is quicker than the index, and leaves nothing out. */
const READ_WHOLE = 1000;

/**
 * Makes the database ready to compare vectors itself, where it has pgvector 0.8 or newer and lets us use it. False:
 * it does not, and vectors are compared in the process.
 */
export async function openNear(db: Db): Promise<boolean> {
  const { rows } = await sql<{ version: string }>`
    select coalesce(installed_version, default_version) as version from pg_available_extensions
    where name = 'vector'`.execute(db);
  const [major = 0, minor = 0] = (rows[0]?.version ?? '').split('.').map(Number);
  if (major === 0 && minor < 8) return false;
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx);
    const present = await sql`
      select 1 from pg_attribute where attrelid = 'knowledge_vectors'::regclass and attname = 'near'
        and not attisdropped`.execute(tx);
    if (present.rows.length > 0) return true;
    await sql`create extension if not exists vector`.execute(tx);
    await sql`alter table knowledge_vectors add column near vector`.execute(tx);
    await sql`alter table knowledge_vectors alter column near set storage external`.execute(tx);
    await sql`create index knowledge_vectors_without_near on knowledge_vectors (model, workspace_id, kb_id)
      where near is null`.execute(tx);
    return true;
  });
}

/** Makes the index of a model's vectors of this length. It is there before the first of them is filled in. */
export async function indexNear(db: Db, model: string, dimensions: number): Promise<void> {
  const name = `knowledge_vectors_near_${digestOf(model)}_${dimensions}`;
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx);
    await sql`create index if not exists ${sql.ref(name)} on knowledge_vectors
      using hnsw ((near::${typeOf(dimensions)}) vector_ip_ops) where model = ${sql.lit(model)}`.execute(tx);
  });
}

const digestOf = (model: string): string => createHash('sha256').update(model).digest('hex').slice(0, 16);
const typeOf = (dimensions: number) => sql.raw(`vector(${Math.trunc(dimensions)})`);
const textOf = (vector: Float32Array): string => `[${vector.join(',')}]`;

/** How long the vectors are that the database cannot compare yet; null: there are none. */
export async function dimensionsWithoutNear(db: Db, model: string): Promise<number | null> {
  const { rows } = await sql<{ dimensions: number }>`
    select octet_length(vector) / 4 as dimensions from knowledge_vectors
    where model = ${model} and near is null limit 1`.execute(db);
  return rows[0]?.dimensions ?? null;
}

/** Vectors of the model and length that the database cannot compare yet, at most `limit`. */
export async function withoutNear(
  db: Db,
  model: string,
  dimensions: number,
  limit: number,
): Promise<(ChunkKey & { workspaceId: string; vector: Buffer })[]> {
  const { rows } = await sql<ChunkKey & { workspaceId: string; vector: Buffer }>`
    select workspace_id as "workspaceId", kb_id as "kbId", source_id as "sourceId", seq, vector
    from knowledge_vectors
    where model = ${model} and near is null and octet_length(vector) = ${dimensions * 4}
    limit ${limit}`.execute(db);
  return rows;
}

/** Lets the database compare these, unless they were replaced meanwhile. */
export async function fillNear(
  db: Db,
  model: string,
  rows: readonly (ChunkKey & { workspaceId: string; vector: Buffer; numbers: Float32Array })[],
): Promise<void> {
  await sql`
    update knowledge_vectors v set near = n.near::vector
    from unnest(${rows.map((r) => r.workspaceId)}::uuid[], ${rows.map((r) => r.kbId)}::uuid[],
                ${rows.map((r) => r.sourceId)}::uuid[], ${rows.map((r) => r.seq)}::int[],
                ${rows.map((r) => r.vector)}::bytea[], ${rows.map((r) => textOf(r.numbers))}::text[])
      as n (workspace_id, kb_id, source_id, seq, vector, near)
    where v.workspace_id = n.workspace_id and v.kb_id = n.kb_id and v.source_id = n.source_id and v.seq = n.seq
      and v.model = ${model} and v.vector = n.vector`.execute(db);
}

/** Whether the database can compare every vector of the knowledge bases. */
export async function isNearWhole(
  db: Db,
  workspaceId: string,
  kbIds: readonly string[],
  model: string,
): Promise<boolean> {
  const { rows } = await sql<{ isWhole: boolean }>`
    select not exists (
      select 1 from knowledge_vectors
      where model = ${model} and workspace_id = ${workspaceId} and kb_id = any(${[...kbIds]}::uuid[])
        and near is null) as "isWhole"`.execute(db);
  return rows[0]?.isWhole === true;
}

/**
 * The chunks whose vectors are nearest, best first. Many are found by the index; few, or where the index brings too
 * few of these knowledge bases, by reading them all.
 */
export async function nearestInDatabase(
  db: Db,
  at: {
    readonly workspaceId: string;
    readonly kbIds: readonly string[];
    readonly model: string;
    /** How many chunks there are. */
    readonly chunks: number;
  },
  query: Float32Array,
  limit: number,
): Promise<(ChunkKey & { likeness: number })[]> {
  const type = typeOf(query.length);
  const wanted = sql`${textOf(query)}::${type}`;
  const mine = sql`workspace_id = ${at.workspaceId} and kb_id = any(${[...at.kbIds]}::uuid[])
    and model = ${sql.lit(at.model)}`;
  const key = sql`kb_id as "kbId", source_id as "sourceId", seq`;
  type Row = ChunkKey & { likeness: number };
  if (at.chunks > READ_WHOLE) {
    const found = await db.transaction().execute(async (tx) => {
      await sql`select set_config('hnsw.iterative_scan', 'relaxed_order', true),
                       set_config('hnsw.ef_search', '100', true)`.execute(tx);
      // The index is what is asked for here: a sort of everything comes below where it brings too few.
      await sql`set local enable_seqscan = off`.execute(tx);
      await sql`set local enable_sort = off`.execute(tx);
      const { rows } = await sql<Row>`
        select ${key}, -(near::${type} <#> ${wanted}) as likeness from knowledge_vectors
        where ${mine} order by near::${type} <#> ${wanted} limit ${limit}`.execute(tx);
      return rows;
    });
    // Relaxed: what a later round of the scan finds may be nearer than the last of the round before.
    if (found.length >= limit) return found.toSorted((a, b) => b.likeness - a.likeness);
  }
  const { rows } = await sql<Row>`
    with mine as materialized (
      select kb_id, source_id, seq, near::${type} <#> ${wanted} as distance from knowledge_vectors where ${mine})
    select ${key}, -distance as likeness from mine order by distance, source_id, seq limit ${limit}`.execute(
    db,
  );
  return rows;
}
