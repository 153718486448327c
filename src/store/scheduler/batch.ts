import {
  callLevelDocument,
  callTimeDocument,
  type CallLevelConfig,
  type CallTime,
} from '../json/call-config.ts';
import type { Stored } from '../../shared/wire-names.ts';
import { isFailure } from '../attempt-failure.ts';
import { sql, type RawBuilder } from 'kysely';
import { type BatchNumber, ms, numberFields } from './batch-numbers.ts';
import { familyParts } from './call-limit.ts';
import type { ClaimScope } from './claims.ts';
import type { Tx } from '../database.ts';
import type { CampaignState } from '../schema.ts';

/** The fields of a version that decide a campaign's window and its A/B split. */
export interface CampaignVersion {
  readonly id: string;
  readonly callTraffic: number;
  readonly callTime: Partial<CallTime> | null;
}

/** A running campaign that may have due calls. Times are epoch ms. */
export interface DueCampaign {
  readonly id: string;
  readonly state: CampaignState;
  readonly callConfig: CallLevelConfig | null;
  readonly concurrencyPercentage: number | null;
  readonly servedAt: number;
  readonly endAt: number | null;
  readonly rampLimit: number | null;
  readonly rampAt: number | null;
  readonly activeVersionId: string;
  readonly isAbLive: boolean;
  /** All versions of its agent, oldest first. */
  readonly versions: readonly CampaignVersion[];
}

/** The most campaigns read in one batch; `considered_at` rotates them, so later batches read the others. */
export const BATCH_CAMPAIGNS = 16;

/** The most caller numbers read for one campaign, however large its pool is. */
const NUMBERS = 256;

/** The count of live calls of one caller number in one campaign; either id may be null. */
export interface LiveGroup {
  readonly numberId: string | null;
  readonly campaignId: string | null;
  readonly live: number;
}

/** The facts about a workspace that a batch needs before it reads due calls. */
export interface BatchFacts {
  /** Its concurrent call limit, without the share allocated to its children. */
  readonly callLimit: number;
  /** Live calls of other family members beyond their limits; they reduce this workspace's limit until they end. */
  readonly aboveLimits: number;
  /** Running campaigns that may have due calls, least recently served first. */
  readonly campaigns: readonly DueCampaign[];
  /** The numbers of each campaign, least recently used first. `campaignId` null: numbers with due individual calls. */
  readonly numbers: readonly (BatchNumber & { readonly campaignId: string | null })[];
  readonly live: readonly LiveGroup[];
  /** Callees of the live outbound calls; empty unless `withCallees`. */
  readonly callees: readonly string[];
}

type StoredCampaign = Omit<Stored<DueCampaign, 'callConfig'>, 'versions'> & {
  readonly versions: Stored<CampaignVersion, 'callTime'>[];
};
type StoredFacts = Omit<BatchFacts, 'campaigns'> & { readonly campaigns: StoredCampaign[] };

/** Reads all facts in one round trip, which keeps the workspace's lock short. */
export async function batchFacts(
  tx: Tx,
  { id: workspaceId, openSince: since }: ClaimScope,
  now: Date,
  { withCallees, takesStreams }: { readonly withCallees: boolean; readonly takesStreams: boolean },
): Promise<BatchFacts> {
  const fields = numberFields(now, takesStreams);
  const isBelowLimit = sql`(p.call_limit is null or coalesce(b.live, 0) < p.call_limit)`;
  const freshFirst = sql`coalesce(p.rest_until > ${now}, false), p.last_used_at nulls first, p.created_at, p.id`;
  const isDue = sql`status in ('registered', 'retry') and next_attempt_at <= ${now} and id >= ${since}`;
  const { family, ownLimit, above } = familyParts(workspaceId);
  const { rows } = await sql<StoredFacts>`/* hot:batch_facts */
    with ${family},
    campaign as materialized (
      select l.id, l.workspace_id, l.agent_id, l.number_pool_id, l.state, l.call_config, l.concurrency_percentage,
             l.served_at, l.end_at, l.ramp_limit, l.ramp_at
      from campaigns l
      where l.workspace_id = ${workspaceId} and l.state in ('scheduled', 'ongoing') and l.next_due_at <= ${now}
        and (l.start_at is null or l.start_at <= ${now}) and (l.end_at is null or l.end_at > ${now})
      order by greatest(l.served_at, l.considered_at), l.id limit ${BATCH_CAMPAIGNS}),
    live as materialized (
      select number_id, campaign_id, count(*) as live from calls
      where workspace_id = ${workspaceId} and status = 'ongoing' and id >= ${since} group by number_id, campaign_id),
    busy as materialized (select number_id as id, sum(live) as live from live group by number_id),
    agent as materialized (
      select a.id, a.active_version_id, a.ab_started_at is not null as is_ab_live, (
               select jsonb_agg(jsonb_build_object('id', v.id, 'callTraffic', v.call_traffic,
                        'callTime', v.config -> 'call_config' -> 'call_time') order by v.created_at, v.id)
               from agent_versions v where v.workspace_id = ${workspaceId} and v.agent_id = a.id) as versions
      from agents a where a.workspace_id = ${workspaceId} and a.id in (select agent_id from campaign)),
    number as (
      select campaign.id as "campaignId", ${fields}
      from campaign cross join lateral (
        select p.* from numbers p left join busy b on b.id = p.id
        where campaign.number_pool_id is not null and p.workspace_id = ${workspaceId}
          and p.number_pool_id = campaign.number_pool_id and not p.is_spam and not p.is_test_number
          and p.trunk_id is not null and ${isBelowLimit}
        order by ${freshFirst} limit ${NUMBERS}) n
      join trunks t on t.id = n.trunk_id
      union all
      select campaign.id, ${fields}
      from campaign cross join lateral (
        select p.* from campaign_numbers m
        join numbers p on p.workspace_id = ${workspaceId} and p.id = m.number_id
        left join busy b on b.id = p.id
        where campaign.number_pool_id is null and m.workspace_id = ${workspaceId} and m.campaign_id = campaign.id
          and not p.is_spam and not p.is_test_number and p.trunk_id is not null and ${isBelowLimit}
        order by ${freshFirst} limit ${NUMBERS}) n
      join trunks t on t.id = n.trunk_id
      union all
      select null, ${fields}
      from numbers n left join trunks t on t.id = n.trunk_id
      where n.workspace_id = ${workspaceId}
        and exists (select from calls where workspace_id = ${workspaceId} and campaign_id is null and ${isDue})
        and exists (select from calls
                    where workspace_id = ${workspaceId} and number_id = n.id and campaign_id is null and ${isDue}))
    select ${ownLimit} as "callLimit", ${above} as "aboveLimits",
      coalesce((
        select jsonb_agg(jsonb_build_object(
                 'id', campaign.id, 'state', state, 'callConfig', call_config,
                 'concurrencyPercentage', concurrency_percentage, 'servedAt', ${ms('served_at')},
                 'endAt', ${ms('end_at')}, 'rampLimit', ramp_limit, 'rampAt', ${ms('ramp_at')},
                 'activeVersionId', active_version_id, 'isAbLive', is_ab_live, 'versions', versions)
                 order by served_at, campaign.id)
        from campaign join agent on agent.id = campaign.agent_id), '[]') as campaigns,
      coalesce((select jsonb_agg(m) from number m), '[]') as numbers,
      coalesce((
        select jsonb_agg(jsonb_build_object('numberId', number_id, 'campaignId', campaign_id, 'live', live))
        from live), '[]') as live,
      case when ${withCallees}::boolean then coalesce((
        select jsonb_agg(to_number) from calls
        where workspace_id = ${workspaceId} and status = 'ongoing' and call_type = 'outbound' and id >= ${since}), '[]')
      else '[]' end as callees`.execute(tx);
  const [facts] = rows;
  if (facts === undefined) throw new Error('the batch facts statement returned no row');
  const campaigns = callLevelDocument.readIn(facts.campaigns, 'callConfig');
  return {
    ...facts,
    campaigns: campaigns.map((campaign) => ({
      ...campaign,
      versions: callTimeDocument.readIn(campaign.versions, 'callTime'),
    })),
  };
}

/** Outcomes of a campaign since `since`: the last 100 ended attempts, and live calls that ring or were answered. */
export async function campaignProgress(
  tx: Tx,
  workspaceId: string,
  campaignId: string,
  since: Date,
): Promise<{ connected: number; failed: number }> {
  const { rows } = await sql<{ connected: number; failed: number; live: number }>`/* hot:campaign_progress */
    select count(*) filter (where not failed)::int as connected, count(*) filter (where failed)::int as failed,
           (select count(*)::int from calls
            where workspace_id = ${workspaceId} and status = 'ongoing' and campaign_id = ${campaignId}
              and sub_status in ('RINGING', 'ACCEPTED')) as live
    from (select ${isFailure} as failed from call_attempts
          where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and ended_at > ${since}
            and campaign_id is not null and ended_at is not null
          order by ended_at desc limit 100) a`.execute(tx);
  const { connected = 0, failed = 0, live = 0 } = rows[0] ?? {};
  return { connected: connected + live, failed };
}

/**
 * Marks campaigns as considered, which moves them to the end of the batch order. Without it, `BATCH_CAMPAIGNS`
 * campaigns that cannot start a call would starve all others (head-of-line blocking).
 */
export async function noteConsidered(
  tx: Tx,
  workspaceId: string,
  campaignIds: readonly string[],
  now: Date,
): Promise<void> {
  await sql`
    update campaigns set considered_at = ${now}
    where workspace_id = ${workspaceId} and id = any(${campaignIds}::uuid[])`.execute(tx);
}

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
export async function endBatch(
  tx: Tx,
  { id: workspaceId, openSince: since }: ClaimScope,
  now: Date,
  end: BatchEnd,
): Promise<void> {
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
              and c.status in ('registered', 'retry') and c.id >= ${since} and c.id <> all(${started})
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
    set locked_credits = locked_credits + ${locked}, served_at = ${now}, starts_total = starts_total + ${starts.length}::int,
        own_served_at = case when ${end.isOwnServed} then ${now} else own_served_at end,
        next_due_at = case when ${isDeep} then next_due_at else coalesce(least(
          (select c.next_attempt_at from calls c
           where c.workspace_id = ${workspaceId} and c.campaign_id is null and c.status in ('registered', 'retry')
             and c.id >= ${since} and c.id <> all(${started})
           order by c.next_attempt_at limit 1),
          (select min(next_due_at) from batch_campaigns where state in ('scheduled', 'ongoing')),
          (select min(greatest(l.next_due_at, l.start_at)) from campaigns l
           where l.workspace_id = ${workspaceId} and l.state in ('scheduled', 'ongoing')
             and (l.end_at is null or l.end_at > ${now}) and l.id <> all(${campaigns.map((c) => c.id)}::uuid[]))
        ), 'infinity') end
    where id = ${workspaceId}`.execute(tx);
}
