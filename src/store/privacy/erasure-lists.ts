import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { Erasure } from './erasure.ts';

/** A contact list uploaded before an erasure was requested that has refused rows or is not imported yet. */
export interface ListToErase {
  readonly workspaceId: string;
  readonly id: string;
  readonly isRead: boolean;
}

/** The next list after `afterList`; null: none is left. */
export async function nextList(
  tx: Db,
  erasure: Pick<Erasure, 'workspaceId' | 'requestedAt' | 'afterList'>,
): Promise<ListToErase | null> {
  const { rows } = await sql<ListToErase>`
    select workspace_id as "workspaceId", id, state in ('completed', 'failed') as "isRead" from campaign_uploads
    where workspace_id = ${erasure.workspaceId} and created_at <= ${erasure.requestedAt}
      and (has_rejects or state in ('receiving', 'received'))
      and (${erasure.afterList}::uuid is null or id > ${erasure.afterList}::uuid)
    order by id limit 1`.execute(tx);
  return rows[0] ?? null;
}

/** Reads one piece of a list's refused rows; undefined past the last one. `lock`: until commit. */
export async function readRejects(
  db: Db,
  list: ListToErase,
  seq: number,
  lock?: 'lock',
): Promise<Buffer | undefined> {
  const { rows } = await sql<{ content: Buffer }>`
    select content from campaign_upload_pieces
    where workspace_id = ${list.workspaceId} and upload_id = ${list.id} and kind = 'rejects' and seq = ${seq}
    ${lock === undefined ? sql`` : sql`for update`}`.execute(db);
  return rows[0]?.content;
}

export async function replaceRejects(tx: Tx, list: ListToErase, seq: number, content: Buffer): Promise<void> {
  await sql`
    update campaign_upload_pieces set content = ${content}
    where workspace_id = ${list.workspaceId} and upload_id = ${list.id} and kind = 'rejects'
      and seq = ${seq}`.execute(tx);
}

/** Removes rows from a list's report and from the stored answer of its idempotency key. */
export async function dropReportedRows(tx: Tx, list: ListToErase, rows: readonly number[]): Promise<void> {
  const left = (reported: string) => sql`coalesce((
    select jsonb_agg(r order by n) from jsonb_array_elements(${sql.raw(reported)}) with ordinality as l (r, n)
    where not (r ->> 'row')::int = any(${[...rows]}::int[])), '[]')`;
  await sql`
    update campaign_uploads set report = jsonb_set(report, '{invalidRows}', ${left("report -> 'invalidRows'")})
    where workspace_id = ${list.workspaceId} and id = ${list.id} and report ? 'invalidRows'`.execute(tx);
  await sql`
    update idempotency_keys
    set response = jsonb_set(response, '{invalid_rows}', ${left("response -> 'invalid_rows'")})
    where workspace_id = ${list.workspaceId} and response ->> 'list_id' = ${list.id}
      and response ? 'invalid_rows'`.execute(tx);
}
