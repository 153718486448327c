import type { Wire } from '../../shared/wire-names.ts';
import type { BreakerSettings } from '../json/workspace-settings.ts';
import { isFailure } from '../attempt-failure.ts';
import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { CampaignState } from '../schema.ts';
import { settingsOf, unlimitedOf } from '../terms.ts';

/** A campaign that runs, or has ended and is not reported, with the facts that decide the keeper's next step. */
export interface KeptCampaign {
  readonly workspaceId: string;
  readonly id: string;
  readonly state: CampaignState;
  readonly isTimeOver: boolean;
  /** It has queued calls. */
  readonly isWaiting: boolean;
  /** It has live calls. */
  readonly isLive: boolean;
  /** Deliveries of its calls' events are pending. Relevant only if no call is queued or live. */
  readonly isDelivering: boolean;
  /** Micro-credits; locked ones may be returned. */
  readonly credits: number;
  readonly lockedCredits: number;
  readonly unlimited: boolean;
  /** It sends messages, which cost no credits. */
  readonly sendsMessages: boolean;
  readonly breaker: Wire<BreakerSettings> | null;
  readonly breakerSince: Date | null;
  /** The breaker settings of the workspace. */
  readonly breakerOfWorkspace: Wire<BreakerSettings> | null;
}

/**
 * Existence checks. A scalar subselect with LIMIT 1 is always an index lookup, while EXISTS may become a scan and join.
 */
const WAITS = sql<boolean>`coalesce(case when c.template is null then (
  select true from calls q where q.workspace_id = c.workspace_id and q.campaign_id = c.id and q.campaign_id is not null
    and q.status in ('registered', 'retry') limit 1)
  else (select true from campaign_messages q where q.workspace_id = c.workspace_id and q.campaign_id = c.id
    and q.status in ('registered', 'retry') limit 1) end, false)`;
const LIVES = sql<boolean>`coalesce(case when c.template is null then (
  select true from calls q where q.workspace_id = c.workspace_id and q.campaign_id = c.id and q.campaign_id is not null
    and q.status = 'ongoing' limit 1)
  else (select true from campaign_messages q where q.workspace_id = c.workspace_id and q.campaign_id = c.id
    and q.status = 'ongoing' limit 1) end, false)`;
const DELIVERS = sql<boolean>`coalesce((
  select true from delivery_queue d where d.workspace_id = c.workspace_id and d.campaign_id = c.id
    and d.campaign_id is not null limit 1), false)`;

/** All campaigns of all workspaces that may need a step of the keeper. */
export async function keptCampaigns(db: Db, now: Date): Promise<KeptCampaign[]> {
  const { rows } = await sql<KeptCampaign>`
    select c.workspace_id as "workspaceId", c.id, c.state, coalesce(c.end_at <= ${now}, false) as "isTimeOver",
           ${WAITS} as "isWaiting", ${LIVES} as "isLive", ${DELIVERS} as "isDelivering",
           w.credits, w.locked_credits as "lockedCredits", ${unlimitedOf('w')} as unlimited, c.template is not null as "sendsMessages",
           c.breaker, c.breaker_since as "breakerSince", coalesce(w.settings -> 'circuit_breaker',
             ${settingsOf('w')} -> 'parent' -> 'circuit_breaker') as "breakerOfWorkspace"
    from campaigns c join workspaces w on w.id = c.workspace_id
    where c.reported_at is null
      and c.state in ('scheduled', 'ongoing', 'paused', 'insufficient_balance', 'completed', 'terminated')
    order by c.workspace_id, c.id`.execute(db);
  return rows;
}

/** Whether a campaign still has queued calls, live calls or pending deliveries; read again under its lock. */
export async function restOf(
  tx: Tx,
  workspaceId: string,
  campaignId: string,
): Promise<{ isWaiting: boolean; isLive: boolean; isDelivering: boolean }> {
  const { rows } = await sql<{ isWaiting: boolean; isLive: boolean; isDelivering: boolean }>`
    select ${WAITS} as "isWaiting", ${LIVES} as "isLive", ${DELIVERS} as "isDelivering"
    from campaigns c where c.workspace_id = ${workspaceId} and c.id = ${campaignId}`.execute(tx);
  return rows[0] ?? { isWaiting: false, isLive: false, isDelivering: false };
}

export interface BreakerWindow {
  readonly workspaceId: string;
  readonly id: string;
  readonly since: Date;
  readonly window: number;
}

/**
 * Outcomes of each campaign's last `window` attempts that began after `since`, by campaign id. Failures are those of
 * the carrier, this service or the pre-call API; a busy or unanswered callee is not a failure.
 */
export async function lastAttempts(
  db: Db,
  looks: readonly BreakerWindow[],
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
            where workspace_id = l.workspace_id and campaign_id = l.id and campaign_id is not null
              and ended_at > l.since and coalesce(dialed_at, claimed_at) > l.since
              and (dialed_at is not null or sub_status = 'PRE_CALL_API_FAILED')
            order by ended_at desc limit l.size) a) t`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Marks an ended campaign as reported; false if it already was or has not ended. */
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
