import { sql } from 'kysely';
import type { Db, Tx } from './database.ts';
import type { Erasure } from './erasure.ts';

/** The recordings of these calls, which are to be deleted, are waited for by the erasure. */
export async function awaitFiles(
  tx: Tx,
  { workspaceId, id }: Pick<Erasure, 'workspaceId' | 'id'>,
  callIds: readonly string[],
): Promise<void> {
  await sql`
    update recording_files set erasures = array_append(erasures, ${id}::uuid)
    where workspace_id = ${workspaceId} and call_id = any(${[...callIds]}::uuid[]) and state = 'delete'
      and not erasures @> array[${id}::uuid]`.execute(tx);
}

/** How many files the erasure waits for: they are still on a disk or in the store. */
export async function countAwaitedFiles(
  db: Db,
  { workspaceId, id }: Pick<Erasure, 'workspaceId' | 'id'>,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from recording_files
    where workspace_id = ${workspaceId} and state = 'delete' and erasures @> array[${id}::uuid]`.execute(db);
  return rows[0]?.count ?? 0;
}
