import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';

/** The counts that the caps of a workspace limit. */
export interface Usage {
  /** Outbound attempts claimed since `minuteAgo`. */
  readonly attempts: number;
  /** Due individual calls that are waiting. */
  readonly waiting: number;
  /** Micro-credits charged since `dayStart`. */
  readonly spent: number;
  /** When the oldest of the attempts was claimed; null without any. */
  readonly oldest: Date | null;
}

/** `waiting` stops at `most`, which bounds the rows that are read. */
export async function readUsage(
  db: Db,
  workspaceId: string,
  at: { readonly now: Date; readonly minuteAgo: Date; readonly dayStart: Date; readonly most: number },
): Promise<Usage> {
  const { rows } = await sql<Usage>`
    select (select coalesce(sum(calls), 0)::int from cap_starts
            where workspace_id = ${workspaceId} and at > ${at.minuteAgo}) as attempts,
           (select min(at) from cap_starts
            where workspace_id = ${workspaceId} and at > ${at.minuteAgo}) as oldest,
           (select count(*)::int from (
              select from calls where workspace_id = ${workspaceId} and campaign_id is null
                and status in ('registered', 'retry') and next_attempt_at <= ${at.now} limit ${at.most}) c) as waiting,
           (select case when spent_day >= (${at.dayStart}::timestamptz at time zone 'UTC')::date
                        then spent_today else 0 end::float8
            from workspaces where id = ${workspaceId}) as spent`.execute(db);
  return rows[0] ?? { attempts: 0, waiting: 0, spent: 0, oldest: null };
}

/** Counts the calls that a claim started, and drops the counts that are older than `minuteAgo`. */
export async function countStarts(
  tx: Tx,
  workspaceId: string,
  calls: number,
  at: { readonly now: Date; readonly minuteAgo: Date },
): Promise<void> {
  await sql`
    with old as (delete from cap_starts where workspace_id = ${workspaceId} and at <= ${at.minuteAgo})
    insert into cap_starts (workspace_id, at, calls) values (${workspaceId}, ${at.now}, ${calls})
    on conflict (workspace_id, at) do update set calls = cap_starts.calls + excluded.calls`.execute(tx);
}
