import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';

/** A change of a workspace's zone that a job carries out. */
export interface ZoneMove {
  readonly zone: string;
  readonly percent: number;
}

export async function findZoneMove(db: Db, workspaceId: string): Promise<ZoneMove | null> {
  const row = await db
    .selectFrom('zone_moves')
    .select(['zone', 'percent'])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return row ?? null;
}

/** False: another one is under way. */
export async function insertZoneMove(tx: Tx, workspaceId: string, zone: string, at: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('zone_moves')
    .values({ workspace_id: workspaceId, zone, begun_at: at })
    .onConflict((conflict) => conflict.column('workspace_id').doNothing())
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function noteZoneProgress(db: Db, workspaceId: string, percent: number): Promise<void> {
  await db.updateTable('zone_moves').set({ percent }).where('workspace_id', '=', workspaceId).execute();
}

export async function deleteZoneMove(db: Db, workspaceId: string): Promise<void> {
  await db.deleteFrom('zone_moves').where('workspace_id', '=', workspaceId).execute();
}

/** Whether the workspace has more calls than `most`; reads no more than that. */
export async function hasMoreCalls(db: Db, workspaceId: string, most: number): Promise<boolean> {
  const { rows } = await sql<{ calls: number }>`select count(*)::int as calls from (
    select from calls where workspace_id = ${workspaceId} limit ${most + 1}) found`.execute(db);
  return rows[0]!.calls > most;
}

/** When the first and the last of the calls of the workspace began, epoch ms; null: it has none. */
export async function callSpan(
  db: Db,
  workspaceId: string,
): Promise<{ readonly first: number; readonly last: number } | null> {
  const bound = (order: 'asc' | 'desc') =>
    sql`(select extract(epoch from created_at)::float8 * 1000 from calls where workspace_id = ${workspaceId}
      order by created_at ${sql.raw(order)} limit 1)`;
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select ${bound('asc')} as first, ${bound('desc')} as last`.execute(db);
  const { first, last } = rows[0]!;
  return first === null || last === null ? null : { first, last };
}
