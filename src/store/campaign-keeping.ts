import { sql } from 'kysely';
import { isFailure } from './attempt-failure.ts';
import type { Db, Tx } from './database.ts';
import type { CampaignState, JsonObject } from './schema.ts';

/** A campaign that runs, or is over and not yet reported, with what decides its next step. */
export interface KeptCampaign {
  readonly workspaceId: string;
  readonly id: string;
  readonly state: CampaignState;
  readonly isTimeOver: boolean;
  /** Calls of it wait to be dialled. */
  readonly isWaiting: boolean;
  /** Calls of it are claimed, ringing or talked on. */
  readonly isLive: boolean;
  /** Its receiver is still being told of ends of its calls; looked at when nothing waits or lives. */
  readonly isTelling: boolean;
  /** Micro-credits, of which locked ones may come back. */
  readonly credits: number;
  readonly lockedCredits: number;
  readonly unlimited: boolean;
  readonly breaker: JsonObject | null;
  readonly breakerSince: Date | null;
  /** The workspace's own breaker rules. */
  readonly breakerOfWorkspace: JsonObject | null;
}

/** One row of each would do: a scalar sub-select is always a look into an index, never a scan of all calls. */
const WAITS = sql<boolean>`coalesce((
  select true from calls q where q.workspace_id = c.workspace_id and q.lane_id = c.id and q.lane_id is not null
    and q.status in ('registered', 'retry') limit 1), false)`;
const LIVES = sql<boolean>`coalesce((
  select true from calls q where q.workspace_id = c.workspace_id and q.lane_id = c.id and q.lane_id is not null
    and q.status = 'ongoing' limit 1), false)`;
const TELLS = sql<boolean>`coalesce((
  select true from delivery_queue d where d.workspace_id = c.workspace_id and d.lane_id = c.id
    and d.lane_id is not null limit 1), false)`;

/** Every campaign the keeper may have something to do for, of all workspaces. */
export async function keptCampaigns(db: Db, now: Date): Promise<KeptCampaign[]> {
  const { rows } = await sql<KeptCampaign>`
    select c.workspace_id as "workspaceId", c.id, c.state, coalesce(c.end_at <= ${now}, false) as "isTimeOver",
           ${WAITS} as "isWaiting", ${LIVES} as "isLive", ${TELLS} as "isTelling",
           w.credits, w.locked_credits as "lockedCredits", w.unlimited,
           c.breaker, c.breaker_since as "breakerSince", w.settings -> 'circuit_breaker' as "breakerOfWorkspace"
    from campaigns c join workspaces w on w.id = c.workspace_id
    where c.reported_at is null
      and c.state in ('scheduled', 'ongoing', 'paused', 'insufficient_balance', 'completed', 'terminated')
    order by c.workspace_id, c.id`.execute(db);
  return rows;
}

/** Whether nothing of a campaign waits or lives, and nobody is still being told: looked at again under its lock. */
export async function restOf(
  tx: Tx,
  workspaceId: string,
  campaignId: string,
): Promise<{ isWaiting: boolean; isLive: boolean; isTelling: boolean }> {
  const { rows } = await sql<{ isWaiting: boolean; isLive: boolean; isTelling: boolean }>`
    select ${WAITS} as "isWaiting", ${LIVES} as "isLive", ${TELLS} as "isTelling"
    from campaigns c where c.workspace_id = ${workspaceId} and c.id = ${campaignId}`.execute(tx);
  return rows[0] ?? { isWaiting: false, isLive: false, isTelling: false };
}

export interface BreakerLook {
  readonly workspaceId: string;
  readonly id: string;
  readonly since: Date;
  readonly window: number;
}

/**
 * How attempts of campaigns ended that began after `since`, the last ones, by campaign id. A callee who is busy or
 * does not answer is no failure; what the carrier, the service or an API before the call could not do is.
 */
export async function lastAttempts(
  db: Db,
  looks: readonly BreakerLook[],
): Promise<Map<string, { attempts: number; failed: number }>> {
  if (looks.length === 0) return new Map();
  const { rows } = await sql<{ id: string; attempts: number; failed: number }>`
    select l.id, t.attempts, t.failed
    from unnest(${looks.map((l) => l.workspaceId)}::uuid[], ${looks.map((l) => l.id)}::uuid[],
                ${looks.map((l) => l.since)}::timestamptz[], ${looks.map((l) => l.window)}::int[])
      as l (workspace_id, id, since, size)
    cross join lateral (
      select count(*)::int as attempts,
             (count(*) filter (where a.failed))::int as failed
      from (select ${isFailure} as failed from call_attempts
            where workspace_id = l.workspace_id and lane_id = l.id and lane_id is not null
              and ended_at > l.since and coalesce(dialed_at, claimed_at) > l.since
              and (dialed_at is not null or sub_status = 'PRE_CALL_API_FAILED')
            order by ended_at desc limit l.size) a) t`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Marks a campaign that is over as reported; false when it was before, or is not over. */
export async function markReported(
  tx: Tx,
  workspaceId: string,
  campaignId: string,
  at: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update campaigns set reported_at = ${at}
    where workspace_id = ${workspaceId} and id = ${campaignId} and reported_at is null
      and state in ('completed', 'terminated')`.execute(tx);
  return numAffectedRows === 1n;
}
