import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import { runHot } from '../plans.ts';
import type { JsonObject, Role } from '../schema.ts';
import { settingsOf } from '../terms.ts';

export interface SessionUser {
  sessionId: string;
  userId: string;
  email: string;
  isOperator: boolean;
  seenAt: Date;
}

const COLUMNS = sql`s.id as "sessionId", s.user_id as "userId", u.email, u.is_operator as "isOperator", s.seen_at as "seenAt"`;

/** The user of the session with this SHA-256; null: none that is valid at `now`. */
export async function findSession(
  db: Db,
  tokenHash: string,
  at: { readonly now: Date; readonly idleSince: Date },
): Promise<SessionUser | null> {
  const query = sql<SessionUser>`
    select ${COLUMNS} from sessions s join users u on u.id = s.user_id
    where s.token_hash = ${tokenHash} and s.expires_at > ${at.now} and s.seen_at > ${at.idleSince}`;
  const { rows } = await query.execute(db);
  return rows[0] ?? null;
}

export interface SessionInWorkspace extends SessionUser {
  /** The strongest role in the workspace or its parent; null: not a member, or the workspace is archived or unknown. */
  role: Role | null;
  settings: JsonObject | null;
}

/** The SHA-256 of a session's token, and the workspace that it asks for. */
export interface SessionKey {
  readonly tokenHash: string;
  readonly workspaceId: string;
}

/** As `findSession` for each of these, in their order, with the user's role in the workspace. */
export async function findSessionsIn(
  db: Db,
  keys: readonly SessionKey[],
  at: { readonly now: Date; readonly idleSince: Date },
): Promise<(SessionInWorkspace | null)[]> {
  const query = sql<SessionInWorkspace & { readonly place: number }>`
    select k.place::int as place, ${COLUMNS}, ${settingsOf('w')} as settings,
      (select m.role from memberships m where m.user_id = u.id and m.workspace_id in (w.id, w.parent_id)
       order by array_position(array['owner', 'manager', 'viewer'], m.role) limit 1) as role
    from unnest(${keys.map(({ tokenHash }) => tokenHash)}::text[], ${keys.map(({ workspaceId }) => workspaceId)}::uuid[])
      with ordinality as k (token_hash, workspace_id, place)
    cross join lateral (select * from sessions where token_hash = k.token_hash limit 1) s
    join users u on u.id = s.user_id
    left join workspaces w on w.id = k.workspace_id and w.archived_at is null
    where s.expires_at > ${at.now} and s.seen_at > ${at.idleSince}`;
  const rows = await runHot(db, 'sessions_in_workspaces', { compile: () => query.compile(db) });
  const found: (SessionInWorkspace | null)[] = keys.map(() => null);
  for (const { place, ...session } of rows) found[place - 1] = session;
  return found;
}

export async function touchSession(db: Db, sessionId: string, at: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ seen_at: at })
    .where('id', '=', sessionId)
    .where('seen_at', '<', at)
    .execute();
}

export interface NewSession {
  id: string;
  userId: string;
  tokenHash: string;
  expiresAt: Date;
  address: string;
  userAgent: string;
}

/** Adds the session, and deletes the user's expired ones and all but the `keep` that were used last. */
export async function insertSession(
  tx: Tx,
  session: NewSession,
  at: { readonly now: Date; readonly idleSince: Date },
  keep: number,
): Promise<void> {
  await sql`
    delete from sessions where user_id = ${session.userId} and (
      expires_at <= ${at.now} or seen_at <= ${at.idleSince} or id in (
        select id from sessions where user_id = ${session.userId}
        order by seen_at desc, id desc offset ${keep - 1}))`.execute(tx);
  await tx
    .insertInto('sessions')
    .values({
      id: session.id,
      user_id: session.userId,
      token_hash: session.tokenHash,
      created_at: at.now,
      seen_at: at.now,
      expires_at: session.expiresAt,
      address: session.address,
      user_agent: session.userAgent,
    })
    .execute();
}

export interface SessionRow {
  id: string;
  createdAt: Date;
  seenAt: Date;
  expiresAt: Date;
  address: string;
  userAgent: string;
}

/** The user's sessions, last used first. */
export function listSessions(
  db: Db,
  userId: string,
  at: { readonly now: Date; readonly idleSince: Date },
): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .select([
      'id',
      'created_at as createdAt',
      'seen_at as seenAt',
      'expires_at as expiresAt',
      'address',
      'user_agent as userAgent',
    ])
    .where('user_id', '=', userId)
    .where('expires_at', '>', at.now)
    .where('seen_at', '>', at.idleSince)
    .orderBy('seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

export async function deleteSessionByToken(db: Db, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
}

/** Ends one session of the user; false: no such session. */
export async function deleteSession(db: Db, userId: string, sessionId: string): Promise<boolean> {
  const result = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', sessionId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Ends every session of the user, or all except one; returns how many. */
export async function deleteSessions(db: Db, userId: string, exceptId: string | null): Promise<number> {
  let query = db.deleteFrom('sessions').where('user_id', '=', userId);
  if (exceptId !== null) query = query.where('id', '<>', exceptId);
  return Number((await query.executeTakeFirst()).numDeletedRows);
}
