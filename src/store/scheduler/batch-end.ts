import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../database.ts';

/** An attempt to start. A null field keeps the call's value. */
export interface AttemptStart {
  readonly id: string;
  readonly attempt: number;
  readonly reserved: number;
  readonly campaignId: string | null;
  /** The workspace's caller number; null for an inbound call. */
  readonly numberId: string | null;
  readonly fromNumber: string | null;
  /** The callee; null for an inbound call. */
  readonly toNumber: string | null;
  readonly versionId: string | null;
}

/** The CTEs that start attempts of locked calls: call status, journal row and ledger lock in one statement. */
function startParts(
  workspaceId: string,
  nodeId: string,
  now: Date,
  starts: readonly AttemptStart[],
): RawBuilder<unknown> {
  return sql`
    start as materialized (
      select * from unnest(
        ${starts.map((s) => s.id)}::uuid[], ${starts.map((s) => s.attempt)}::smallint[],
        ${starts.map((s) => s.reserved)}::bigint[], ${starts.map((s) => s.campaignId)}::uuid[],
        ${starts.map((s) => s.numberId)}::uuid[], ${starts.map((s) => s.fromNumber)}::text[],
        ${starts.map((s) => s.toNumber)}::text[], ${starts.map((s) => s.versionId)}::uuid[])
        as u (id, attempt, reserved, campaign_id, number_id, from_number, to_number, version_id)),
    live as (
      update calls c
      set status = 'ongoing', sub_status = 'QUEUED', attempt = q.attempt, reserved = q.reserved,
          node_id = ${nodeId}, next_attempt_at = null, updated_at = ${now},
          dialed_at = null, answered_at = null, ended_at = null, duration_ms = null, hangup_by = null,
          number_id = coalesce(q.number_id, c.number_id), from_number = coalesce(q.from_number, c.from_number),
          version_id = coalesce(q.version_id, c.version_id)
      from start q where c.workspace_id = ${workspaceId} and c.id = q.id),
    journal as (
      insert into call_attempts (workspace_id, call_id, attempt, node_id, status, claimed_at, campaign_id, number_id,
                                 to_number)
      select ${workspaceId}, id, attempt, ${nodeId}, 'claimed', ${now}, campaign_id, number_id, to_number from start),
    money as (
      insert into ledger (workspace_id, call_id, attempt, kind, amount, at)
      select ${workspaceId}, id, attempt, 'lock', reserved, ${now} from start where reserved > 0)`;
}

/** Starts attempts of locked calls. */
export async function startAttempts(
  tx: Tx,
  workspaceId: string,
  nodeId: string,
  now: Date,
  starts: readonly AttemptStart[],
): Promise<void> {
  await sql`with ${startParts(workspaceId, nodeId, now, starts)} select`.execute(tx);
}

/** The outcome of a batch for one campaign. */
export interface CampaignBatchEnd {
  readonly id: string;
  /** The batch started calls of it. */
  readonly isServed: boolean;
  readonly ramp: { readonly limit: number; readonly at: Date };
  /** No call of it may start before this time; null: its next call's due time decides. */
  readonly holdUntil: Date | null;
  /** The workspace's balance no longer covers a call. */
  readonly isUnfunded: boolean;
  /** More calls are due than the batch read, so the hint stays. */
  readonly isDeep: boolean;
}

export interface BatchEnd {
  readonly nodeId: string;
  readonly starts: readonly AttemptStart[];
  readonly campaigns: readonly CampaignBatchEnd[];
  /** The caller numbers used, with the time of their last use in microseconds since the epoch. */
  readonly used: readonly { readonly id: string; readonly usedAt: number }[];
  readonly isOwnServed: boolean;
}

const UNFUNDED = 'The credits of the workspace no longer cover a call.';

/**
 * Ends a batch in one statement: starts the chosen calls, locks their money, moves campaigns to `ongoing`, and sets the
 * scheduling hints of the campaigns and the workspace to their next due call. It is the last statement of the batch, so
 * its snapshot includes the deferred and ended calls. It does not see its own updates, so the hints exclude the started
 * calls by id. `used` skips numbers that another transaction has locked: rotation order is not worth a wait.
 */
export async function endBatch(tx: Tx, workspaceId: string, now: Date, end: BatchEnd): Promise<void> {
  const { campaigns, used, starts } = end;
  const started = sql`${starts.map((s) => s.id)}::uuid[]`;
  const locked = starts.reduce((sum, start) => sum + start.reserved, 0);
  const isDeep = campaigns.some((campaign) => campaign.isDeep);
  await sql`/* hot:end_batch */
    with ${startParts(workspaceId, end.nodeId, now, starts)},
    q as materialized (
      select * from unnest(
        ${campaigns.map((c) => c.id)}::uuid[], ${campaigns.map((c) => c.isServed)}::boolean[],
        ${campaigns.map((c) => c.ramp.limit)}::int[], ${campaigns.map((c) => c.ramp.at)}::timestamptz[],
        ${campaigns.map((c) => c.holdUntil)}::timestamptz[], ${campaigns.map((c) => c.isUnfunded)}::boolean[],
        ${campaigns.map((c) => c.isDeep)}::boolean[])
        as u (id, is_served, ramp_limit, ramp_at, hold_until, is_unfunded, is_deep)),
    batch_campaigns as (
      update campaigns l
      set served_at = case when q.is_served then ${now} else l.served_at end,
          started_at = case when q.is_served then coalesce(l.started_at, ${now}) else l.started_at end,
          state = case when q.is_unfunded then 'insufficient_balance' when q.is_served then 'ongoing' else l.state end,
          message = case when q.is_unfunded then ${UNFUNDED} else l.message end,
          updated_at = case when q.is_unfunded or q.is_served and l.state = 'scheduled' then ${now}
                            else l.updated_at end,
          ramp_limit = q.ramp_limit, ramp_at = q.ramp_at,
          next_due_at = case when q.is_deep then l.next_due_at else greatest(q.hold_until, coalesce((
            select c.next_attempt_at from calls c
            where c.workspace_id = ${workspaceId} and c.campaign_id = q.id and c.campaign_id is not null
              and c.status in ('registered', 'retry') and c.id <> all(${started})
            order by c.next_attempt_at limit 1), 'infinity')) end
      from q
      where l.workspace_id = ${workspaceId} and l.id = q.id and l.state in ('scheduled', 'ongoing')
      returning l.id, l.state, l.next_due_at),
    used as (
      update numbers n set last_used_at = 'epoch'::timestamptz + u.used_at * interval '1 microsecond'
      from unnest(${used.map((n) => n.id)}::uuid[], ${used.map((n) => n.usedAt)}::float8[]) as u (id, used_at),
           (select id from numbers
            where workspace_id = ${workspaceId} and id = any(${used.map((n) => n.id)}::uuid[])
            for no key update skip locked) free
      where n.workspace_id = ${workspaceId} and n.id = u.id and free.id = n.id)
    update workspaces w
    set locked_credits = locked_credits + ${locked}, served_at = ${now},
        own_served_at = case when ${end.isOwnServed} then ${now} else own_served_at end,
        next_due_at = case when ${isDeep} then next_due_at else coalesce(least(
          (select c.next_attempt_at from calls c
           where c.workspace_id = ${workspaceId} and c.campaign_id is null and c.status in ('registered', 'retry')
             and c.id <> all(${started})
           order by c.next_attempt_at limit 1),
          (select min(next_due_at) from batch_campaigns where state in ('scheduled', 'ongoing')),
          (select min(greatest(l.next_due_at, l.start_at)) from campaigns l
           where l.workspace_id = ${workspaceId} and l.state in ('scheduled', 'ongoing')
             and (l.end_at is null or l.end_at > ${now}) and l.id <> all(${campaigns.map((c) => c.id)}::uuid[]))
        ), 'infinity') end
    where id = ${workspaceId}`.execute(tx);
}
