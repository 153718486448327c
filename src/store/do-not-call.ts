import { sql, type RawBuilder, type SqlBool } from 'kysely';
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

/** The workspace's list, or with `laneId` the list of that campaign alone. */
export interface DoNotCallList {
  readonly workspaceId: string;
  readonly laneId: string | null;
}
const tableOf = ({ laneId }: DoNotCallList): RawBuilder<unknown> =>
  laneId === null ? sql`do_not_call` : sql`campaign_do_not_call`;
const inList = ({ workspaceId, laneId }: DoNotCallList): RawBuilder<SqlBool> =>
  laneId === null
    ? sql<SqlBool>`workspace_id = ${workspaceId}`
    : sql<SqlBool>`workspace_id = ${workspaceId} and campaign_id = ${laneId}`;

/** A page of the list, newest first; `number` looks for one. */
export async function listDoNotCall(
  db: Db,
  list: DoNotCallList,
  number: string | null,
  page: { limit: number; offset: number },
): Promise<{ numbers: ListedNumber[]; total: number }> {
  const where = sql`${inList(list)} and ${number === null ? sql`true` : sql`number = ${number}`}`;
  const { rows: numbers } = await sql<ListedNumber>`
    select number, reason, created_at from ${tableOf(list)} where ${where}
    order by created_at desc, number limit ${page.limit} offset ${page.offset}`.execute(db);
  const { rows: counted } = await sql<{ total: number }>`
    select count(*) as total from ${tableOf(list)} where ${where}`.execute(db);
  return { numbers, total: counted[0]?.total ?? 0 };
}

/** Lists numbers; those already listed keep their reason. Returns how many are new. */
export async function listNumbersAsDoNotCall(
  db: Db,
  list: DoNotCallList,
  numbers: readonly string[],
  reason: string,
  at: Date,
): Promise<number> {
  const { workspaceId, laneId } = list;
  const [column, value] = laneId === null ? [sql``, sql``] : [sql`campaign_id,`, sql`${laneId}::uuid,`];
  const { numAffectedRows } = await sql`
    insert into ${tableOf(list)} (workspace_id, ${column} number, reason, created_at)
    select ${workspaceId}, ${value} number, ${reason}, ${at}
    from unnest(${[...numbers].sort()}::text[]) as q (number)
    on conflict do nothing`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Takes numbers off the list; returns how many were on it. */
export async function removeDoNotCall(
  db: Db,
  list: DoNotCallList,
  numbers: readonly string[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${tableOf(list)} where ${inList(list)} and number = any(${numbers})`.execute(db);
  return Number(numAffectedRows ?? 0);
}
