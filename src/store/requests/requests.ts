import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../database.ts';
import { idBefore } from '../privacy/retention.ts';

/** A request in a list. */
export interface ApiRequestRow {
  readonly workspaceId: string;
  readonly id: string;
  readonly at: Date;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  readonly requestId: string;
  readonly key: string;
}

/** A request with its bodies. */
export interface ApiRequestDetailsRow extends ApiRequestRow {
  readonly contentType: string | null;
  readonly bodyBytes: number | null;
  readonly body: string | null;
  readonly isCut: boolean;
  readonly response: string | null;
  /** What the service ignored, in sentences; null: logged by an earlier version. */
  readonly notices: readonly string[] | null;
}

/**
 * Adds requests, except those that an erasure has overtaken. Returns those of workspaces of which an erasure is reading the
 * log: they must be added later. Requests of other workspaces do not wait for it.
 */
export function insertRequests(
  db: Db,
  rows: readonly ApiRequestDetailsRow[],
): Promise<readonly ApiRequestDetailsRow[]> {
  const workspaceIds = [...new Set(rows.map(({ workspaceId }) => workspaceId))];
  return db.transaction().execute(async (tx) => {
    // A statement before the insert, which then sees every floor that was committed until the lock was free.
    const { rows: open } = await sql<{ id: string }>`
      select id from unnest(${workspaceIds}::uuid[]) w (id)
      where pg_try_advisory_xact_lock_shared(${logLock(sql`id`)})`.execute(tx);
    const isOpen = new Set(open.map(({ id }) => id));
    await insertOpen(
      tx,
      rows.filter(({ workspaceId }) => isOpen.has(workspaceId)),
    );
    return rows.filter(({ workspaceId }) => !isOpen.has(workspaceId));
  });
}

/** The lock of a workspace's log: shared by those who add, exclusive for an erasure. */
const logLock = (workspaceId: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`hashtextextended('requests ' || (${workspaceId})::text, 0)`;

async function insertOpen(tx: Tx, rows: readonly ApiRequestDetailsRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into api_requests (workspace_id, id, at, method, path, status, duration_ms, request_id, key, content_type,
                              body_bytes, body, is_cut, response, notices)
    select r."workspaceId", r.id, r.at, r.method, r.path, r.status, r."durationMs", r."requestId", r.key, r."contentType",
           r."bodyBytes", r.body, r."isCut", r.response, r.notices
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r ("workspaceId" uuid, id uuid, at timestamptz,
      method text, path text, status smallint, "durationMs" int, "requestId" text, key text, "contentType" text,
      "bodyBytes" bigint, body text, "isCut" boolean, response text, notices text[])
    where not exists (
      select from api_request_floors f where f.workspace_id = r."workspaceId" and f.at >= r.at)`.execute(tx);
}

/** Deletes all but the newest `kept` requests of each workspace. */
export async function trimRequests(db: Db, workspaceIds: readonly string[], kept: number): Promise<void> {
  await sql`
    delete from api_requests r using (
      select old.workspace_id, old.id from unnest(${[...workspaceIds]}::uuid[]) w (id)
      cross join lateral (select id from api_requests where workspace_id = w.id
                          order by id desc offset ${kept - 1} limit 1) oldest
      cross join lateral (select workspace_id, id from api_requests
                          where workspace_id = w.id and id < oldest.id for update skip locked) old) old
    where r.workspace_id = old.workspace_id and r.id = old.id`.execute(db);
}

/**
 * Deletes requests answered before `before`, of one workspace or of all, at most `take` of each; returns how many.
 */
export async function pruneRequests(
  db: Db,
  workspaceId: string | null,
  before: Date,
  take: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from api_requests r using (
      select old.workspace_id, old.id from workspaces w cross join lateral (
        select workspace_id, id from api_requests where workspace_id = w.id and id < ${idBefore(before)}
        order by id limit ${take} for update skip locked) old
      where ${workspaceId === null ? sql`true` : sql`w.id = ${workspaceId}`}) old
    where r.workspace_id = old.workspace_id and r.id = old.id`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

export interface RequestFilter {
  readonly method: string | null;
  /** Text within the path or query. */
  readonly path: string | null;
  /** The first digit of the status. */
  readonly statusClass: number | null;
  readonly requestId: string | null;
  readonly since: Date | null;
  readonly before: Date | null;
  /** Requests older than this one. */
  readonly beforeId: string | null;
}

const COLUMNS = sql`workspace_id as "workspaceId", id, at, method, path, status, duration_ms as "durationMs",
  request_id as "requestId", key`;

/** Requests that match, newest first. A workspace has few rows, so no filter has an index. */
export async function listRequests(
  db: Db,
  workspaceId: string,
  filter: RequestFilter,
  take: number,
): Promise<ApiRequestRow[]> {
  const { method, path, statusClass, requestId, since, before, beforeId } = filter;
  const { rows } = await sql<ApiRequestRow>`
    select ${COLUMNS} from api_requests
    where workspace_id = ${workspaceId}
      ${beforeId === null ? sql`` : sql`and id < ${beforeId}`}
      ${method === null ? sql`` : sql`and method = ${method}`}
      ${path === null ? sql`` : sql`and position(lower(${path}) in lower(path)) > 0`}
      ${statusClass === null ? sql`` : sql`and status / 100 = ${statusClass}`}
      ${requestId === null ? sql`` : sql`and request_id = ${requestId}`}
      ${since === null ? sql`` : sql`and at >= ${since}`}
      ${before === null ? sql`` : sql`and at < ${before}`}
    order by id desc limit ${take}`.execute(db);
  return rows;
}

export async function findRequest(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<ApiRequestDetailsRow | null> {
  const { rows } = await sql<ApiRequestDetailsRow>`
    select ${COLUMNS}, content_type as "contentType", body_bytes as "bodyBytes", body, is_cut as "isCut",
           response, notices
    from api_requests where workspace_id = ${workspaceId} and id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** The texts of a request that may name a person. */
export interface RequestTexts {
  readonly id: string;
  readonly path: string;
  readonly body: string | null;
  readonly isCut: boolean;
  readonly response: string | null;
}

/**
 * Raises the workspace's floor to `at` and returns the requests that arrived until then. The lock waits for inserts under
 * way of this workspace and refuses others until commit, so that each of them either is among the returned or sees the
 * floor. Requests of other workspaces are added meanwhile.
 */
export async function closeRequestsUntil(tx: Tx, workspaceId: string, at: Date): Promise<RequestTexts[]> {
  await sql`select pg_advisory_xact_lock(${logLock(sql`${workspaceId}::uuid`)})`.execute(tx);
  await sql`
    insert into api_request_floors as f (workspace_id, at) values (${workspaceId}, ${at})
    on conflict (workspace_id) do update set at = greatest(f.at, excluded.at)`.execute(tx);
  const { rows } = await sql<RequestTexts>`
    select id, path, body, is_cut as "isCut", response from api_requests
    where workspace_id = ${workspaceId} and at <= ${at}`.execute(tx);
  return rows;
}

export async function deleteRequests(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<void> {
  await sql`
    delete from api_requests where workspace_id = ${workspaceId} and id = any(${[...ids]}::uuid[])`.execute(
    tx,
  );
}
