import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { CallStatus } from '../schema.ts';

/** The outcome of one contact. */
export interface ContactRow {
  readonly id: string;
  readonly contactRow: number;
  readonly toNumber: string;
  readonly calleeName: string;
  readonly args: Record<string, string>;
  readonly fromNumber: string;
  readonly status: CallStatus;
  readonly subStatus: string;
  readonly attempt: number;
  readonly retriesUsed: number;
  readonly nextAttemptAt: Date | null;
  readonly dialedAt: Date | null;
  readonly answeredAt: Date | null;
  readonly endedAt: Date | null;
  readonly durationMs: number | null;
  readonly cost: number;
  readonly hangupBy: string | null;
  readonly recordingState: string | null;
  readonly result: string | null;
}

/** Which contacts a report has; null: all. */
export interface ReportFilter {
  readonly status: CallStatus | null;
  readonly result: string | null;
}

/** The next contacts of a campaign that match the filter, in file order, after row `after` (0: from the first). */
export async function contactsAfter(
  db: Db,
  workspaceId: string,
  campaignId: string,
  { status, result }: ReportFilter,
  after: number,
  take: number,
): Promise<ContactRow[]> {
  const ofStatus = status === null ? sql`` : sql`and status = ${sql.lit(status)}`;
  const ofResult = result === null ? sql`` : sql`and result = ${result}`;
  const { rows } = await sql<ContactRow>`
    select c.id, c.contact_row as "contactRow", c.to_number as "toNumber", c.callee_name as "calleeName", c.args,
           c.from_number as "fromNumber", c.status, c.sub_status as "subStatus", c.attempt,
           c.retries_used as "retriesUsed", c.next_attempt_at as "nextAttemptAt", c.dialed_at as "dialedAt",
           c.answered_at as "answeredAt", c.ended_at as "endedAt", c.duration_ms as "durationMs", c.cost,
           c.hangup_by as "hangupBy", c.result, r.recording_state as "recordingState"
    from (select * from calls
          where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and contact_row > ${after}
            and contact_row is not null ${ofStatus} ${ofResult}
          order by contact_row limit ${take}) c
    left join call_records r on r.workspace_id = c.workspace_id and r.call_id = c.id
    order by c.contact_row`.execute(db);
  return rows;
}

/** The variables of the campaign's first contact that has any. */
export async function someArgs(
  db: Db,
  workspaceId: string,
  campaignId: string,
): Promise<Record<string, string>> {
  const { rows } = await sql<{ args: Record<string, string> }>`
    select args from calls
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and contact_row is not null
      and args <> '{}'
    order by contact_row limit 1`.execute(db);
  return rows[0]?.args ?? {};
}
