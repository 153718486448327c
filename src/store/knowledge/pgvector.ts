import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { ChunkKey } from './vectors.ts';

/** The most dimensions that a pgvector index supports. */
export const MOST_INDEXED_DIMENSIONS = 2000;
/** Advisory lock id: processes change the table one after the other. */
const LOCK = 7_203_114_523;
/** Up to this many chunks an exact scan is faster than the approximate index. */
const READ_WHOLE = 1000;

/**
 * Prepares the database for vector search if it offers pgvector 0.8 or newer. False: it does not, and the process
 * compares vectors itself. Throws if the role may not create the extension.
 */
export async function openPgvector(db: Db): Promise<boolean> {
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

/** Creates the index of a model's vectors with this many dimensions. Runs before the first of them is indexed. */
export async function createVectorIndex(db: Db, model: string, dimensions: number): Promise<void> {
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

/** The dimensions of the model's vectors that are not indexed yet; null: all are. */
export async function unindexedDimensions(db: Db, model: string): Promise<number | null> {
  const { rows } = await sql<{ dimensions: number }>`
    select octet_length(vector) / 4 as dimensions from knowledge_vectors
    where model = ${model} and near is null limit 1`.execute(db);
  return rows[0]?.dimensions ?? null;
}

/** At most `limit` vectors of the model and dimensions that are not indexed yet. */
export async function unindexedVectors(
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

/** Fills the indexed column of these vectors, except those that were replaced since they were read. */
export async function indexVectors(
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

/** Whether all vectors of the knowledge bases are indexed. */
export async function areAllIndexed(
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
 * The chunks with the nearest vectors, best first. Uses the approximate index for many chunks; scans all of them if
 * there are few, or if the index returns too few rows of these knowledge bases.
 */
export async function nearestInDatabase(
  db: Db,
  at: {
    readonly workspaceId: string;
    readonly kbIds: readonly string[];
    readonly model: string;
    /** How many chunks the knowledge bases have. */
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
      // Forces the index scan. If it returns too few rows, the exact scan below follows.
      await sql`set local enable_seqscan = off`.execute(tx);
      await sql`set local enable_sort = off`.execute(tx);
      const { rows } = await sql<Row>`
        select ${key}, -(near::${type} <#> ${wanted}) as likeness from knowledge_vectors
        where ${mine} order by near::${type} <#> ${wanted} limit ${limit}`.execute(tx);
      return rows;
    });
    // In relaxed order, a later round of the iterative scan may return nearer rows than the round before.
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
