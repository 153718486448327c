import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { CallStatus } from '../schema.ts';

/** The outcome of one contact. */
export interface ContactRow {
  readonly id: string;
  readonly contact_row: number;
  readonly to_number: string;
  readonly callee_name: string;
  readonly args: Record<string, string>;
  readonly from_number: string;
  readonly status: CallStatus;
  readonly sub_status: string;
  readonly attempt: number;
  readonly retries_used: number;
  readonly next_attempt_at: Date | null;
  readonly dialed_at: Date | null;
  readonly answered_at: Date | null;
  readonly ended_at: Date | null;
  readonly duration_ms: number | null;
  readonly cost: number;
  readonly hangup_by: string | null;
  readonly recording_state: string | null;
  readonly result: string | null;
}

/** The next contacts of a campaign in file order, of every status or of one, after row `after` (0: from the first). */
export async function contactsAfter(
  db: Db,
  workspaceId: string,
  campaignId: string,
  status: CallStatus | null,
  after: number,
  take: number,
): Promise<ContactRow[]> {
  const ofStatus = status === null ? sql`` : sql`and status = ${sql.lit(status)}`;
  const { rows } = await sql<ContactRow>`
    select c.id, c.contact_row, c.to_number, c.callee_name, c.args, c.from_number, c.status, c.sub_status,
           c.attempt, c.retries_used, c.next_attempt_at, c.dialed_at, c.answered_at, c.ended_at, c.duration_ms,
           c.cost, c.hangup_by, c.result, r.recording_state
    from (select * from calls
          where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and contact_row > ${after}
            and contact_row is not null ${ofStatus}
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
