import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';

/** Ends every sign-in and every token that a page or a listener holds. Returns the number of sessions. */
export async function endEverySession(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`delete from sessions`.execute(tx);
  await sql`delete from web_call_tokens`.execute(tx);
  // No page can take up such a chat again, and an erasure since the backup may have deleted its values.
  await sql`update web_chats set token_hash = null, next_hash = null, args = '{}', origin = null`.execute(tx);
  await sql`update call_listeners set expires_at = 'epoch' where started_at is null`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** Deletes the keys with these hashes; null: every key. Returns how many there were. */
export async function dropKeys(tx: Tx, hashes: readonly string[] | null): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from api_keys where ${hashes === null ? sql`true` : sql`key_hash = any(${[...hashes]}::text[])`}`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0);
}

/** Gives a member its latest role; null: the member was removed. An owner stays if the workspace has no other. */
export async function correctMember(
  tx: Tx,
  workspaceId: string,
  userId: string,
  role: string | null,
): Promise<boolean> {
  const hasOwner = sql`(role <> 'owner' or exists (select from memberships o where o.workspace_id = m.workspace_id
    and o.role = 'owner' and o.user_id <> m.user_id))`;
  const isTheirs = sql`m.workspace_id = ${workspaceId} and m.user_id = ${userId}`;
  const { numAffectedRows } =
    role === null
      ? await sql`delete from memberships m where ${isTheirs} and ${hasOwner}`.execute(tx)
      : await sql`update memberships m set role = ${role} where ${isTheirs} and role <> ${role}
          and (${role} = 'owner' or ${hasOwner})`.execute(tx);
  return numAffectedRows === 1n;
}

/** One number as rows have it; of inbound calls with the called numbers, whose country tells how to read it. */
export interface KnownNumber {
  readonly number: string;
  readonly called: readonly string[];
}

/** The next distinct numbers of persons of a workspace, in order, after `after`. */
export async function personNumbers(
  db: Db,
  workspaceId: string,
  after: string,
  take: number,
): Promise<KnownNumber[]> {
  const { rows } = await sql<KnownNumber>`
    select number, coalesce(array_agg(distinct called) filter (where called is not null), '{}') as called from (
      select to_number as number, null as called from calls
      where workspace_id = ${workspaceId} and call_type <> 'inbound'
      union all select from_number, to_number from calls
      where workspace_id = ${workspaceId} and call_type = 'inbound'
      union all select customer_number, null from chats where workspace_id = ${workspaceId}
      union all select to_number, null from campaign_messages where workspace_id = ${workspaceId}) n
    where number > ${after} group by number order by number limit ${take}`.execute(db);
  return rows;
}

/** Those of the calls that exist and are not erased. */
export async function callsNotErased(db: Db, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select c.id from calls c left join call_records r on r.workspace_id = c.workspace_id and r.call_id = c.id
    where c.workspace_id = ${workspaceId} and c.id = any(${[...ids]}::uuid[]) and r.erased_at is null`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Those of the chats that exist and are not erased; locks them. */
export async function chatsNotErased(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from chats where workspace_id = ${workspaceId} and id = any(${[...ids]}::uuid[]) and erased_at is null
    order by id for update`.execute(tx);
  return rows.map(({ id }) => id);
}

/** The workspaces among these that the database has. */
export async function workspacesAmong(db: Db, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from workspaces where id = any(${[...ids]}::uuid[]) order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** The campaigns among these that the workspace has. */
export async function campaignsAmong(db: Db, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from campaigns where workspace_id = ${workspaceId} and id = any(${[...ids]}::uuid[])`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/**
 * Deletes what may hold a number in any spelling and cannot be searched by HMAC: refused rows of contact lists, their
 * reports, and logged requests.
 */
export async function dropUnsearchable(tx: Tx, workspaceId: string): Promise<void> {
  await sql`
    delete from campaign_upload_pieces where workspace_id = ${workspaceId} and kind = 'rejects'`.execute(tx);
  await sql`
    update campaign_uploads set has_rejects = false,
      report = case when report ? 'invalidRows' then jsonb_set(report, '{invalidRows}', '[]') else report end
    where workspace_id = ${workspaceId}`.execute(tx);
  await sql`
    update idempotency_keys set response = jsonb_set(response, '{invalid_rows}', '[]')
    where workspace_id = ${workspaceId} and response ? 'invalid_rows'`.execute(tx);
  await sql`delete from api_requests where workspace_id = ${workspaceId}`.execute(tx);
}

/** Keeps opt-outs whose numbers the database does not have. */
export async function keepOptOuts(
  tx: Tx,
  workspaceId: string,
  digests: readonly string[],
  at: Date,
): Promise<void> {
  await sql`
    insert into opted_out (workspace_id, digest, at)
    select ${workspaceId}, digest, ${at} from unnest(${[...digests]}::text[]) as d (digest)
    on conflict do nothing`.execute(tx);
}

export async function keepOptOutKey(
  tx: Tx,
  pads: { readonly inner: Buffer; readonly outer: Buffer },
): Promise<void> {
  await sql`
    insert into opted_out_key (inner_pad, outer_pad) values (${pads.inner}, ${pads.outer})
    on conflict (only_row) do update set inner_pad = excluded.inner_pad, outer_pad = excluded.outer_pad`.execute(
    tx,
  );
}
