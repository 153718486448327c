import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db, Tx } from '../database.ts';

/** Adds a number to the workspace's do-not-call list. Idempotent: an existing entry keeps its reason. */
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

/** Whether the number is on the list, or opted out after the backup that was restored. */
export async function isDoNotCall(tx: Tx, workspaceId: string, number: string): Promise<boolean> {
  const { rows } = await sql<{ listed: boolean }>`select exists (select from do_not_call
    where workspace_id = ${workspaceId} and number = ${number})
      or is_opted_out(${workspaceId}, ${number}) as listed`.execute(tx);
  return rows[0]?.listed === true;
}

/** Ids of the queued calls to `number`, in id order, so that transactions which lock them cannot deadlock. */
export async function queuedTo(tx: Tx, workspaceId: string, number: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from calls
    where workspace_id = ${workspaceId} and to_number = ${number} and status in ('registered', 'retry')
    order by id`.execute(tx);
  return rows.map((row) => row.id);
}

export interface ListedNumber {
  number: string;
  reason: string;
  createdAt: Date;
}

/** The workspace's list, or the list of one campaign. */
export interface DoNotCallList {
  readonly workspaceId: string;
  readonly campaignId: string | null;
}
const tableOf = ({ campaignId }: DoNotCallList): RawBuilder<unknown> =>
  campaignId === null ? sql`do_not_call` : sql`campaign_do_not_call`;
const inList = ({ workspaceId, campaignId }: DoNotCallList): RawBuilder<SqlBool> =>
  campaignId === null
    ? sql<SqlBool>`workspace_id = ${workspaceId}`
    : sql<SqlBool>`workspace_id = ${workspaceId} and campaign_id = ${campaignId}`;

/** A page of the list, newest first; `number` filters by one number. */
export async function listDoNotCall(
  db: Db,
  list: DoNotCallList,
  number: string | null,
  page: { limit: number; offset: number },
): Promise<{ numbers: ListedNumber[]; total: number }> {
  const where = sql`${inList(list)} and ${number === null ? sql`true` : sql`number = ${number}`}`;
  const { rows: numbers } = await sql<ListedNumber>`
    select number, reason, created_at as "createdAt" from ${tableOf(list)} where ${where}
    order by created_at desc, number limit ${page.limit} offset ${page.offset}`.execute(db);
  const { rows: counted } = await sql<{ total: number }>`
    select count(*) as total from ${tableOf(list)} where ${where}`.execute(db);
  return { numbers, total: counted[0]?.total ?? 0 };
}

/**
 * Adds numbers in sorted order, so that inserts cannot deadlock. Existing entries keep their reason. Returns how many
 * are new.
 */
export async function listNumbersAsDoNotCall(
  db: Db,
  list: DoNotCallList,
  numbers: readonly string[],
  reason: string,
  at: Date,
): Promise<number> {
  const { workspaceId, campaignId } = list;
  const [column, value] =
    campaignId === null ? [sql``, sql``] : [sql`campaign_id,`, sql`${campaignId}::uuid,`];
  const { numAffectedRows } = await sql`
    insert into ${tableOf(list)} (workspace_id, ${column} number, reason, created_at)
    select ${workspaceId}, ${value} number, ${reason}, ${at}
    from unnest(${[...numbers].sort()}::text[]) as q (number)
    on conflict do nothing`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Removes numbers from the list; returns how many were on it. */
export async function removeDoNotCall(
  db: Db,
  list: DoNotCallList,
  numbers: readonly string[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${tableOf(list)} where ${inList(list)} and number = any(${numbers})`.execute(db);
  if (list.campaignId === null) await forgetOptOuts(db, list.workspaceId, numbers);
  return Number(numAffectedRows ?? 0);
}

async function forgetOptOuts(db: Db, workspaceId: string, numbers: readonly string[]): Promise<void> {
  await sql`
    delete from opted_out where workspace_id = ${workspaceId} and digest = any(array(
      select opt_out_digest(${workspaceId}, number) from unnest(${[...numbers]}::text[]) as n (number)))`.execute(
    db,
  );
}
