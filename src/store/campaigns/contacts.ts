import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../database.ts';
import type { CallStatus } from '../schema.ts';

/** One contact of a campaign that calls, as its page lists it. */
export interface ListedContact {
  readonly id: string;
  readonly row: number;
  readonly toNumber: string;
  readonly calleeName: string;
  readonly fromNumber: string;
  readonly status: CallStatus;
  readonly subStatus: string;
  readonly attempt: number;
  readonly retriesUsed: number;
  /** The sub-status of the last attempt that ended. */
  readonly lastOutcome: string | null;
  readonly nextAttemptAt: Date | null;
  readonly dialedAt: Date | null;
  readonly answeredAt: Date | null;
  readonly endedAt: Date | null;
  readonly durationMs: number | null;
  readonly cost: number;
  readonly result: string | null;
  readonly resultSource: 'goal' | 'label' | 'ending' | null;
}

export interface ContactFilter {
  readonly status: CallStatus | null;
  readonly number: string | null;
  readonly result: string | null;
}

/** The next `take` contacts in the order of the list, after row `after` (0: from the first). */
export async function listContacts(
  db: Db,
  workspaceId: string,
  campaignId: string,
  filter: ContactFilter,
  after: number,
  take: number,
): Promise<ListedContact[]> {
  // Only the conditions that are set: a plan for either case would not use the index by status.
  const wanted: RawBuilder<unknown>[] = [];
  if (filter.status !== null) wanted.push(sql`and status = ${sql.lit(filter.status)}`);
  if (filter.number !== null) wanted.push(sql`and to_number = ${filter.number}`);
  if (filter.result !== null) wanted.push(sql`and result = ${filter.result}`);
  const { rows } = await sql<ListedContact>`
    select c.id, c.contact_row as row, c.to_number as "toNumber", c.callee_name as "calleeName",
           c.from_number as "fromNumber", c.status, c.sub_status as "subStatus", c.attempt,
           c.retries_used as "retriesUsed", t.sub_status as "lastOutcome", c.next_attempt_at as "nextAttemptAt",
           c.dialed_at as "dialedAt", c.answered_at as "answeredAt", c.ended_at as "endedAt",
           c.duration_ms as "durationMs", c.cost, c.result, c.result_source as "resultSource"
    from (select * from calls
          where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and campaign_id is not null
            and contact_row > ${after} and contact_row is not null ${sql.join(wanted, sql` `)}
          order by contact_row limit ${sql.lit(take)}) c
    left join lateral (
      select sub_status from call_attempts
      where workspace_id = c.workspace_id and call_id = c.id and ended_at is not null
      order by attempt desc limit 1) t on true
    order by c.contact_row`.execute(db);
  return rows;
}
