import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';

export interface ListenerRow {
  readonly workspaceId: string;
  readonly id: string;
  readonly callId: string;
  readonly listener: string;
  readonly origin: string;
  /** The session that listens; null: of an earlier version. */
  readonly sessionId: string | null;
}

/** A listener's token; false if the workspace has no such live call. */
export async function insertListener(
  tx: Tx,
  row: ListenerRow & { readonly tokenHash: string; readonly expiresAt: Date },
  at: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into call_listeners (workspace_id, id, call_id, listener, token_hash, origin, created_at, expires_at,
      session_id)
    select workspace_id, ${row.id}, id, ${row.listener}, ${row.tokenHash}, ${row.origin}, ${at}, ${row.expiresAt},
      ${row.sessionId}
    from calls where workspace_id = ${row.workspaceId} and id = ${row.callId} and status = 'ongoing'`.execute(
    tx,
  );
  return (numAffectedRows ?? 0n) > 0n;
}

const SWEPT_AT_ONCE = 100;

/** Deletes tokens that expired unused. */
export async function sweepListeners(db: Db, before: Date): Promise<void> {
  await sql`
    delete from call_listeners where (workspace_id, id) in (
      select workspace_id, id from call_listeners where started_at is null and created_at < ${before}
      limit ${SWEPT_AT_ONCE} for update skip locked)`.execute(db);
}

/** Locks the unused and unexpired token; null: there is none. */
/** Whether a member can begin to listen with the token; `lockListener` decides. */
export async function isOpenListenerToken(db: Db, tokenHash: string, now: Date): Promise<boolean> {
  const { rows } = await sql`select 1 from call_listeners
    where token_hash = ${tokenHash} and started_at is null and expires_at > ${now}`.execute(db);
  return rows.length > 0;
}

export async function lockListener(tx: Tx, tokenHash: string, now: Date): Promise<ListenerRow | null> {
  const { rows } = await sql<ListenerRow>`
    select workspace_id as "workspaceId", id, call_id as "callId", listener, origin, session_id as "sessionId"
    from call_listeners
    where token_hash = ${tokenHash} and started_at is null and expires_at > ${now} for update`.execute(tx);
  return rows[0] ?? null;
}

type Key = Pick<ListenerRow, 'workspaceId' | 'id'>;

export async function startListener(tx: Tx, { workspaceId, id }: Key, at: Date): Promise<void> {
  await sql`
    update call_listeners set started_at = ${at}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** False: the end is known. */
export async function endListener(tx: Tx, { workspaceId, id }: Key, at: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update call_listeners set ended_at = ${at}
    where workspace_id = ${workspaceId} and id = ${id} and ended_at is null`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}

export interface LostListener extends ListenerRow {
  /** When the call ended; no earlier than the listener began. */
  readonly endedAt: Date;
}

/** Listeners without a stored end, of attempts that ended before `before`. */
export async function lostListeners(db: Db, before: Date, limit: number): Promise<LostListener[]> {
  const { rows } = await sql<LostListener>`
    select l.workspace_id as "workspaceId", l.id, l.call_id as "callId", l.listener, l.origin,
      l.session_id as "sessionId",
      greatest(a.ended_at, l.started_at) as "endedAt"
    from call_listeners l
    cross join lateral (
      select ended_at from call_attempts
      where workspace_id = l.workspace_id and call_id = l.call_id and claimed_at <= l.started_at
      order by attempt desc limit 1) a
    where l.started_at is not null and l.ended_at is null and a.ended_at < ${before}
    order by l.started_at limit ${limit}`.execute(db);
  return rows;
}

/** Who listened to a call, and when. */
export interface Listening {
  readonly listener: string;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
}

export async function listListeners(db: Db, workspaceId: string, callId: string): Promise<Listening[]> {
  const { rows } = await sql<Listening>`
    select listener, started_at as "startedAt", ended_at as "endedAt" from call_listeners
    where workspace_id = ${workspaceId} and call_id = ${callId} and started_at is not null
    order by started_at, id`.execute(db);
  return rows;
}
