import { sql } from 'kysely';
import type { Db } from './database.ts';
import type { JsonObject } from './schema.ts';

export interface AuditRow {
  readonly workspaceId: string;
  readonly id: string;
  readonly at: Date;
  readonly actorType: string;
  readonly actor: string;
  readonly action: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly objects: JsonObject;
  readonly requestId: string;
  readonly address: string | null;
}

/** The INSERT of entries, also usable as a CTE of a larger statement. */
export const insertRows = (rows: readonly AuditRow[]) => sql`
  insert into audit_log (workspace_id, id, at, actor_type, actor, action, method, route, status, objects,
                         request_id, address)
  select "workspaceId", id, at, "actorType", actor, action, method, route, status, objects, "requestId", address
  from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r ("workspaceId" uuid, id uuid, at timestamptz,
    "actorType" text, actor text, action text, method text, route text, status int, objects jsonb,
    "requestId" text, address text)`;

/** Adds entries to the log, each once however often this is repeated. The log is append-only. */
export async function insertAudit(db: Db, rows: readonly AuditRow[]): Promise<void> {
  await sql`${insertRows(rows)} on conflict do nothing`.execute(db);
}

/**
 * Adds the entries of a change; must be the last statement of its transaction. Returns false and adds nothing if the
 * transaction has written nothing (it has no transaction id).
 */
export async function insertAuditOfChange(tx: Db, rows: readonly AuditRow[]): Promise<boolean> {
  const { numAffectedRows } =
    await sql`${insertRows(rows)} where pg_current_xact_id_if_assigned() is not null`.execute(tx);
  return numAffectedRows === BigInt(rows.length);
}

export interface AuditFilter {
  readonly action: string | null;
  readonly actor: string | null;
  readonly requestId: string | null;
  readonly objectId: string | null;
  readonly since: Date | null;
  readonly before: Date | null;
  /** Entries older than this one. */
  readonly beforeId: string | null;
}

/** Entries that match, newest first. */
export async function listAudit(
  db: Db,
  workspaceId: string,
  filter: AuditFilter,
  take: number,
): Promise<AuditRow[]> {
  const { action, actor, requestId, objectId, since, before, beforeId } = filter;
  const object = JSON.stringify({ id: objectId });
  const { rows } = await sql<AuditRow>`
    select workspace_id as "workspaceId", id, at, actor_type as "actorType", actor, action, method, route, status,
           objects, request_id as "requestId", address
    from audit_log
    where workspace_id = ${workspaceId}
      ${beforeId === null ? sql`` : sql`and id < ${beforeId}`}
      ${action === null ? sql`` : sql`and action = ${action}`}
      ${actor === null ? sql`` : sql`and actor = ${actor}`}
      ${requestId === null ? sql`` : sql`and request_id = ${requestId}`}
      ${since === null ? sql`` : sql`and at >= ${since}`}
      ${before === null ? sql`` : sql`and at < ${before}`}
      ${objectId === null ? sql`` : sql`and jsonb_path_exists(objects, '$.** ? (@ == $id)', ${object}::jsonb)`}
    order by id desc limit ${take}`.execute(db);
  return rows;
}
