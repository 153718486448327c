import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** Ended attempts of a campaign that were dialled in the same quarter of an hour, by their place among the retries. */
export interface AttemptSums {
  /** Quarters of an hour since 1970. */
  readonly quarter: number;
  readonly attempt: number;
  readonly calls: number;
  readonly answered: number;
  /** Milliseconds from the dialling to the end, summed. */
  readonly busyMs: number;
}

/** The folded sums and the endings that wait, in one snapshot; oldest quarter first. */
export async function sumAttempts(db: Db, workspaceId: string, campaignId: string): Promise<AttemptSums[]> {
  const { rows } = await sql<AttemptSums>`
    select quarter, attempt::int as attempt, sum(calls)::int as calls, sum(answered)::int as answered,
           sum(busy_ms)::bigint as "busyMs"
    from (
      select quarter, attempt, calls, answered, busy_ms from attempt_quarters
      where workspace_id = ${workspaceId} and campaign_id = ${campaignId}
      union all
      select quarter, attempt, 1, answered, busy_ms from attempt_endings
      where workspace_id = ${workspaceId} and campaign_id = ${campaignId}) ended
    group by quarter, attempt order by quarter, attempt`.execute(db);
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
