import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';

/** The counts that the caps of a workspace limit. */
export interface Usage {
  /** Calls and transfers started since `minuteAgo`; those that a stranger began. */
  readonly starts: number;
  readonly strangerStarts: number;
  /** Due individual calls that are waiting. */
  readonly waiting: number;
  /** Micro-credits charged since `dayStart`; those for calls and chats that a stranger began. */
  readonly spent: number;
  readonly strangerSpent: number;
  /** Turns of a model taken or held since `dayStart`. */
  readonly turns: number;
  /** When the oldest of the starts was; null without any. */
  readonly oldest: Date | null;
}

export interface UsageTimes {
  readonly now: Date;
  readonly minuteAgo: Date;
  readonly dayStart: Date;
}

/** `waiting` stops at `most`, which bounds the rows that are read. */
export async function readUsage(
  db: Db,
  workspaceId: string,
  at: UsageTimes & { readonly most: number },
): Promise<Usage> {
  const { rows } = await sql<Usage>`
    select coalesce(s.calls, 0) as starts, coalesce(s.strangers, 0) as "strangerStarts", s.oldest,
           (select count(*)::int from (
              select from calls where workspace_id = w.id and campaign_id is null
                and status in ('registered', 'retry') and next_attempt_at <= ${at.now} limit ${at.most}) c) as waiting,
           case when spent_day >= d.today then spent_today else 0 end::float8 as spent,
           case when spent_day >= d.today then stranger_spent else 0 end::float8 as "strangerSpent",
           case when turns_day >= d.today then turns_today else 0 end as turns
    from workspaces w
    cross join (select (${at.dayStart}::timestamptz at time zone 'UTC')::date as today) d
    cross join lateral (
      select sum(calls)::int as calls, sum(strangers)::int as strangers, min(at) as oldest
      from cap_starts where workspace_id = w.id and at > ${at.minuteAgo}) s
    where w.id = ${workspaceId}`.execute(db);
  return (
    rows[0] ?? {
      starts: 0,
      strangerStarts: 0,
      waiting: 0,
      spent: 0,
      strangerSpent: 0,
      turns: 0,
      oldest: null,
    }
  );
}

/** Counts started calls, and drops the counts that are older than `minuteAgo`. */
export async function countStarts(
  tx: Tx,
  workspaceId: string,
  starts: { readonly calls: number; readonly strangers: number },
  at: Pick<UsageTimes, 'now' | 'minuteAgo'>,
): Promise<void> {
  const { calls, strangers } = starts;
  await sql`
    with old as (delete from cap_starts where workspace_id = ${workspaceId} and at <= ${at.minuteAgo})
    insert into cap_starts (workspace_id, at, calls, strangers)
    values (${workspaceId}, ${at.now}, ${calls}, ${strangers})
    on conflict (workspace_id, at) do update set calls = cap_starts.calls + excluded.calls,
      strangers = cap_starts.strangers + excluded.strangers`.execute(tx);
}
