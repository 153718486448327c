import { sql, type RawBuilder } from 'kysely';
import { QUARTER } from '../analysis/attempt-figures.ts';
import type { Db } from '../database.ts';

/** The folded sums of a campaign's ended attempts and the endings that wait, in one snapshot. */
const ended = (workspaceId: string, campaignId: string): RawBuilder<unknown> => sql`(
  select quarter, attempt, calls, answered, busy_ms from attempt_quarters
  where workspace_id = ${workspaceId} and campaign_id = ${campaignId}
  union all
  select ${QUARTER}, attempt, 1, is_answered::int, busy_ms from ended_attempts
  where workspace_id = ${workspaceId} and campaign_id = ${campaignId}) ended`;

/** Ended attempts that were dialled in the same quarter of an hour. */
export interface QuarterSums {
  /** Quarters of an hour since 1970. */
  readonly quarter: number;
  readonly calls: number;
  readonly answered: number;
}

/** The sums of the last quarters of an hour with a call, or of all of them; the newest first. */
export async function sumByQuarter(
  db: Db,
  workspaceId: string,
  campaignId: string,
  most: number | null,
): Promise<QuarterSums[]> {
  const { rows } = await sql<QuarterSums>`
    select quarter, sum(calls)::int as calls, sum(answered)::int as answered
    from ${ended(workspaceId, campaignId)} group by quarter order by quarter desc
    ${most === null ? sql`` : sql`limit ${sql.lit(most)}`}`.execute(db);
  return rows;
}

/** Ended attempts with the same place among the retries. */
export interface AttemptSums {
  readonly attempt: number;
  readonly calls: number;
  readonly answered: number;
  /** Milliseconds from the dialling to the end, summed. */
  readonly busyMs: number;
}

export async function sumByAttempt(db: Db, workspaceId: string, campaignId: string): Promise<AttemptSums[]> {
  const { rows } = await sql<AttemptSums>`
    select attempt::int as attempt, sum(calls)::int as calls, sum(answered)::int as answered,
           sum(busy_ms)::bigint as "busyMs"
    from ${ended(workspaceId, campaignId)} group by attempt order by attempt`.execute(db);
  return rows;
}

/** Contacts of a campaign that are on the phone, or wait for a retry, by the number of attempts begun. */
export interface UnfinishedContacts {
  readonly status: 'ongoing' | 'retry';
  readonly attempt: number;
  readonly contacts: number;
}

export async function countUnfinished(
  db: Db,
  workspaceId: string,
  campaignId: string,
): Promise<UnfinishedContacts[]> {
  const by = (status: UnfinishedContacts['status']) => sql`
    select ${sql.lit(status)} as status, attempt::int as attempt, count(*)::int as contacts from calls
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and campaign_id is not null
      and status = ${sql.lit(status)}
    group by attempt`;
  const { rows } = await sql<UnfinishedContacts>`${by('ongoing')} union all ${by('retry')}`.execute(db);
  return rows;
}
