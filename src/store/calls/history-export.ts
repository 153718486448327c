import { sql, type SqlBool } from 'kysely';
import type { Db } from '../database.ts';
import { filtered, type HistoryFilter } from './history-filter.ts';
import { callsOf, joined, type CallRow } from './history.ts';
import type { JsonObject } from '../schema.ts';

/** The next page of the history after the cursor `after`, newest first; null: the first page. */
export function listCallsAfter(
  db: Db,
  workspaceId: string,
  filter: HistoryFilter,
  after: { createdAt: Date; id: string } | null,
  take: number,
): Promise<CallRow[]> {
  let calls = filtered(callsOf(db), workspaceId, filter);
  if (after !== null) {
    calls = calls.where(sql<SqlBool>`(calls.created_at, calls.id) < (${after.createdAt}, ${after.id})`);
  }
  const page = calls.orderBy('calls.created_at', 'desc').orderBy('calls.id', 'desc').limit(take);
  return joined(db, page).orderBy('calls.created_at', 'desc').orderBy('calls.id', 'desc').execute();
}

export interface AnalysesRow {
  readonly callId: string;
  readonly platform: JsonObject | null;
  readonly client: JsonObject | null;
}

/** The analyses of these calls; calls without one are left out. */
export async function analysesOf(
  db: Db,
  workspaceId: string,
  callIds: readonly string[],
): Promise<Map<string, AnalysesRow>> {
  const { rows } = await sql<AnalysesRow>`
    select call_id as "callId", platform_analysis as platform, client_analysis as client from call_records
    where workspace_id = ${workspaceId} and call_id = any(${[...callIds]}::uuid[])
      and (platform_analysis is not null or client_analysis is not null)`.execute(db);
  return new Map(rows.map((row) => [row.callId, row]));
}

export interface ExportLease {
  readonly workspaceId: string;
  readonly filterHash: string;
  readonly token: string;
}

/** Leases the export of one filter; false while another export of it renews its lease. */
export async function claimExport(
  db: Db,
  lease: ExportLease,
  times: { readonly at: Date; readonly abandonedBefore: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into history_exports as e (workspace_id, filter_hash, token, beat_at)
    values (${lease.workspaceId}, ${lease.filterHash}, ${lease.token}, ${times.at})
    on conflict (workspace_id, filter_hash) do update
      set token = excluded.token, beat_at = excluded.beat_at
      where e.beat_at < ${times.abandonedBefore}
    returning token`.execute(db);
  return rows.length === 1;
}

export async function beatExport(db: Db, lease: ExportLease, at: Date): Promise<void> {
  await sql`update history_exports set beat_at = ${at}
    where workspace_id = ${lease.workspaceId} and filter_hash = ${lease.filterHash}
      and token = ${lease.token}`.execute(db);
}

export async function releaseExport(db: Db, lease: ExportLease): Promise<void> {
  await sql`delete from history_exports
    where workspace_id = ${lease.workspaceId} and filter_hash = ${lease.filterHash}
      and token = ${lease.token}`.execute(db);
}
