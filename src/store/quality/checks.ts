import { sql } from 'kysely';
import { storable } from '../../shared/storable.ts';
import type { Db, Tx } from '../database.ts';
import { dayIn, zoneOf } from '../zone.ts';

export interface NewFinding {
  readonly detector: string;
  readonly atMs: number;
  readonly detail: string;
}

export interface FindingRow {
  readonly detector: string;
  readonly atMs: number;
  /** Null: erased. */
  readonly detail: string | null;
  /** Who marked it as a false alarm, and when; null: nobody. */
  readonly falseBy: string | null;
  readonly falseAt: Date | null;
}

export interface CheckedCall {
  readonly id: string;
  readonly agentId: string;
  readonly versionId: string;
}

const logOf = (workspaceId: string, callId: string) => sql`
  select 1 from call_records where workspace_id = ${workspaceId} and call_id = ${callId}
    and erased_at is null and event_log is not null`;

export async function hasEventLog(db: Db, workspaceId: string, callId: string): Promise<boolean> {
  return (await logOf(workspaceId, callId).execute(db)).rows.length > 0;
}

/** Locks the event log of a call; false: it was erased or deleted meanwhile. */
export async function lockEventLog(tx: Tx, workspaceId: string, callId: string): Promise<boolean> {
  return (await sql`${logOf(workspaceId, callId)} for update`.execute(tx)).rows.length > 0;
}

/** Stores that a call was checked; false: it was stored before. */
export async function insertCheck(
  tx: Tx,
  workspaceId: string,
  call: CheckedCall,
  at: Date,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('call_checks')
    .values({
      workspace_id: workspaceId,
      call_id: call.id,
      agent_id: call.agentId,
      version_id: call.versionId,
      day: dayOf(workspaceId, at),
      checked_at: at,
    })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'call_id']).doNothing())
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function insertFindings(
  tx: Tx,
  workspaceId: string,
  call: CheckedCall,
  findings: readonly NewFinding[],
  at: Date,
): Promise<void> {
  if (findings.length === 0) return;
  await tx
    .insertInto('call_findings')
    .values(
      findings.map(({ detector, atMs, detail }) => ({
        workspace_id: workspaceId,
        call_id: call.id,
        detector,
        agent_id: call.agentId,
        day: dayOf(workspaceId, at),
        at_ms: Math.round(atMs),
        detail: storable(detail),
      })),
    )
    .execute();
}

/** The day of an instant in the zone of the workspace. */
const dayOf = (workspaceId: string, at: Date) => dayIn(zoneOf(workspaceId), sql`${at}::timestamptz`);

/** What detectors found in a call, in time; null: it was not checked. */
export async function listFindings(
  db: Db,
  workspaceId: string,
  callId: string,
): Promise<FindingRow[] | null> {
  const { rows } = await sql<{ [K in keyof FindingRow]: FindingRow[K] | null }>`
    select f.detector, f.at_ms as "atMs", f.detail, f.false_by as "falseBy", f.false_at as "falseAt"
    from call_checks c
    left join call_findings f on f.workspace_id = c.workspace_id and f.call_id = c.call_id
    where c.workspace_id = ${workspaceId} and c.call_id = ${callId}
    order by f.at_ms, f.detector`.execute(db);
  if (rows.length === 0) return null;
  return rows.filter((row): row is FindingRow => row.detector !== null);
}

/** Marks a finding as a false alarm, or takes the mark away; false: there is no such finding. */
export async function markFinding(
  tx: Tx,
  workspaceId: string,
  of: { readonly callId: string; readonly detector: string },
  mark: { readonly by: string; readonly at: Date } | null,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('call_findings')
    .set({ false_by: mark?.by ?? null, false_at: mark?.at ?? null })
    .where('workspace_id', '=', workspaceId)
    .where('call_id', '=', of.callId)
    .where('detector', '=', of.detector)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
