import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';

export interface AccountLogRow {
  readonly id: string;
  readonly at: Date;
  readonly action: string;
  readonly by: string | null;
  readonly address: string | null;
}

/** Adds an entry, and deletes those of the user that are older than `keepSince`. */
export async function insertAccountEntry(
  db: Db,
  userId: string,
  entry: AccountLogRow,
  keepSince: Date,
): Promise<void> {
  await sql`delete from account_log where user_id = ${userId} and at < ${keepSince}`.execute(db);
  await sql`
    insert into account_log (user_id, id, at, action, by, address)
    values (${userId}, ${entry.id}, ${entry.at}, ${entry.action}, ${entry.by}, ${entry.address})`.execute(db);
}

/** The newest entries of a user. */
export async function listAccountEntries(db: Db, userId: string, take: number): Promise<AccountLogRow[]> {
  const { rows } = await sql<AccountLogRow>`
    select id, at, action, by, address from account_log where user_id = ${userId}
    order by id desc limit ${take}`.execute(db);
  return rows;
}

/** The workspaces of which the user is a member. */
export async function workspacesOfUser(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select workspace_id as id from memberships where user_id = ${userId} order by 1`.execute(db);
  return rows.map(({ id }) => id);
}

/** Whether `ownerId` is an owner of every workspace of `userId`. */
export async function ownsEveryWorkspaceOf(db: Db, ownerId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select from memberships m where m.user_id = ${userId} and not exists (
      select from memberships o where o.workspace_id = m.workspace_id and o.user_id = ${ownerId} and o.role = 'owner')
    limit 1`.execute(db);
  return rows.length === 0;
}

/** Stores the link; an earlier one of the user is invalid from then on. */
export async function putPasswordLink(
  db: Db,
  link: { readonly tokenHash: string; readonly userId: string; readonly at: Date; readonly expiresAt: Date },
): Promise<void> {
  await sql`
    insert into password_links (token_hash, user_id, created_at, expires_at)
    values (${link.tokenHash}, ${link.userId}, ${link.at}, ${link.expiresAt})
    on conflict (user_id) do update set token_hash = excluded.token_hash, created_at = excluded.created_at,
      expires_at = excluded.expires_at`.execute(db);
}

/** Uses the link up; returns its user, null: it is unknown, used or expired. */
export async function takePasswordLink(tx: Tx, tokenHash: string, now: Date): Promise<string | null> {
  const { rows } = await sql<{ userId: string }>`
    delete from password_links where token_hash = ${tokenHash} and expires_at > ${now}
    returning user_id as "userId"`.execute(tx);
  return rows[0]?.userId ?? null;
}
