import { sql } from 'kysely';
import type { Db, Tx } from './database.ts';

/** Adds a number to the workspace's do-not-call list; the first reason stays. */
export async function addDoNotCall(
  tx: Tx,
  workspaceId: string,
  number: string,
  reason: string,
  at: Date,
): Promise<void> {
  await sql`insert into do_not_call (workspace_id, number, reason, created_at)
    values (${workspaceId}, ${number}, ${reason}, ${at}) on conflict do nothing`.execute(tx);
}

export async function isDoNotCall(tx: Tx, workspaceId: string, number: string): Promise<boolean> {
  const { rows } = await sql`select from do_not_call
    where workspace_id = ${workspaceId} and number = ${number}`.execute(tx);
  return rows.length > 0;
}

/** Ids of the calls that wait in the queue to ring `number`, in a fixed order so that lockers never cross. */
export async function queuedTo(tx: Tx, workspaceId: string, number: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from calls
    where workspace_id = ${workspaceId} and to_number = ${number} and status in ('registered', 'retry')
    order by id`.execute(tx);
  return rows.map((row) => row.id);
}

export interface ListedNumber {
  number: string;
  reason: string;
  created_at: Date;
}

/** A page of the list, newest first; `number` looks for one. */
export async function listDoNotCall(
  db: Db,
  workspaceId: string,
  number: string | null,
  page: { limit: number; offset: number },
): Promise<{ numbers: ListedNumber[]; total: number }> {
  let query = db.selectFrom('do_not_call').where('workspace_id', '=', workspaceId);
  if (number !== null) query = query.where('number', '=', number);
  const numbers = await query
    .select(['number', 'reason', 'created_at'])
    .orderBy('created_at', 'desc')
    .orderBy('number')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const counted = await query.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { numbers, total: counted.total };
}

/** Lists numbers; those already listed keep their reason. Returns how many are new. */
export async function listNumbersAsDoNotCall(
  db: Db,
  workspaceId: string,
  numbers: readonly string[],
  reason: string,
  at: Date,
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into do_not_call (workspace_id, number, reason, created_at)
    select ${workspaceId}, number, ${reason}, ${at} from unnest(${[...numbers].sort()}::text[]) as q (number)
    on conflict do nothing`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Takes numbers off the list; returns how many were on it. */
export async function removeDoNotCall(
  db: Db,
  workspaceId: string,
  numbers: readonly string[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from do_not_call
    where workspace_id = ${workspaceId} and number = any(${numbers})`.execute(db);
  return Number(numAffectedRows ?? 0);
}
