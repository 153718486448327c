import { sql, type RawBuilder } from 'kysely';
import { isFailure } from './attempt-failure.ts';
import { familyParts } from './call-limit.ts';
import type { Tx } from './database.ts';
import type { CampaignState, JsonObject } from './schema.ts';

/** A version as far as a campaign's window and the choice among versions go. */
export interface LaneVersion {
  readonly id: string;
  readonly call_traffic: number;
  readonly call_time: JsonObject | null;
}

/** A campaign with something due, as a turn sees it. Times are epoch ms. */
export interface Lane {
  readonly id: string;
  readonly state: CampaignState;
  readonly callConfig: JsonObject | null;
  readonly concurrencyPercentage: number | null;
  readonly servedAt: number;
  readonly endAt: number | null;
  readonly rampLimit: number | null;
  readonly rampAt: number | null;
  readonly activeVersionId: string;
  readonly isAbLive: boolean;
  /** Every version of its agent in the order of their making. */
  readonly versions: readonly LaneVersion[];
}

/** Campaigns looked at in one turn; the others have theirs in the next. */
export const LANES = 16;

/** A caller number in a turn. `usedAt` counts microseconds since the epoch, so that uses within a tick differ. */
export interface TurnNumber {
  readonly id: string;
  readonly number: string;
  readonly displayName: string;
  readonly callLimit: number | null;
  readonly trunkId: string | null;
  /** How much its trunk carries: one with a tight limit is soon full. Null: it has no limit. */
  readonly trunkWidth: 'narrow' | 'wide' | null;
  readonly usedAt: number;
  /** Epoch ms; null: never. */
  readonly ratedAt: number | null;
  readonly restUntil: number | null;
}

/** A trunk of fewer calls at once or a second is narrow. */
const NARROW = 512;
/** Caller numbers of one campaign in a turn: enough to choose from, however large its pool is. */
const NUMBERS = 256;

/** Live calls from one number in one campaign; either may be none. */
export interface LiveGroup {
  readonly numberId: string | null;
  readonly laneId: string | null;
  readonly live: number;
}

/** What a turn has to know about its workspace before it looks at calls. */
export interface TurnFacts {
  /** Calls at once of its own: without what it has given to its children. */
  readonly callLimit: number;
  /** Live calls above the limits of the rest of its family; its own are as many fewer until those have ended. */
  readonly aboveLimits: number;
  /** The campaigns that run and may have due calls, the one served longest ago first. */
  readonly lanes: readonly Lane[];
  /** The numbers each campaign may use, least recently used first; for `laneId` null those with due individual calls. */
  readonly numbers: readonly (TurnNumber & { readonly laneId: string | null })[];
  readonly live: readonly LiveGroup[];
  /** Whom live outbound calls are with; empty unless asked for. */
  readonly callees: readonly string[];
}

const ms = (column: string): RawBuilder<unknown> =>
  sql`extract(epoch from ${sql.ref(column)})::float8 * 1000`;

/** Everything in one answer: a turn is short because it asks seldom. */
export async function turnFacts(
  tx: Tx,
  workspaceId: string,
  now: Date,
  withCallees: boolean,
): Promise<TurnFacts> {
  const numberFields = sql`n.id, n.number, n.display_name as "displayName", n.call_limit as "callLimit",
    n.trunk_id as "trunkId",
    case when least((t.settings ->> 'max_calls')::float8, (t.settings ->> 'calls_per_second')::float8)
      < ${NARROW} then 'narrow' when coalesce(t.settings ->> 'max_calls', t.settings ->> 'calls_per_second')
      is not null then 'wide' end as "trunkWidth",
    coalesce(extract(epoch from n.last_used_at) * 1000000, 0)::float8 as "usedAt",
    ${ms('n.rated_at')} as "ratedAt", ${ms('n.rest_until')} as "restUntil"`;
  const hasRoom = sql`(p.call_limit is null or coalesce(b.live, 0) < p.call_limit)`;
  const freshFirst = sql`coalesce(p.rest_until > ${now}, false), p.last_used_at nulls first, p.created_at, p.id`;
  const isDue = sql`status in ('registered', 'retry') and next_attempt_at <= ${now}`;
  const { family, ownLimit, above } = familyParts(workspaceId);
  const { rows } = await sql<TurnFacts>`/* hot:turn_facts */
    with ${family},
    lane as materialized (
      select l.id, l.workspace_id, l.agent_id, l.number_pool_id, l.state, l.call_config, l.concurrency_percentage,
             l.served_at, l.end_at, l.ramp_limit, l.ramp_at
      from campaigns l
      where l.workspace_id = ${workspaceId} and l.state in ('scheduled', 'ongoing') and l.next_due_at <= ${now}
        and (l.start_at is null or l.start_at <= ${now}) and (l.end_at is null or l.end_at > ${now})
      order by greatest(l.served_at, l.looked_at), l.id limit ${LANES}),
    live as materialized (
      select number_id, lane_id, count(*) as live from calls
      where workspace_id = ${workspaceId} and status = 'ongoing' group by number_id, lane_id),
    busy as materialized (select number_id as id, sum(live) as live from live group by number_id),
    agent as materialized (
      select a.id, a.active_version_id, a.ab_started_at is not null as is_ab_live, (
               select jsonb_agg(jsonb_build_object('id', v.id, 'call_traffic', v.call_traffic,
                        'call_time', v.config -> 'call_config' -> 'call_time') order by v.created_at, v.id)
               from agent_versions v where v.workspace_id = ${workspaceId} and v.agent_id = a.id) as versions
      from agents a where a.workspace_id = ${workspaceId} and a.id in (select agent_id from lane)),
    number as (
      select lane.id as "laneId", ${numberFields}
      from lane cross join lateral (
        select p.* from numbers p left join busy b on b.id = p.id
        where lane.number_pool_id is not null and p.workspace_id = ${workspaceId}
          and p.number_pool_id = lane.number_pool_id and not p.is_spam and not p.is_test_number
          and p.trunk_id is not null and ${hasRoom}
        order by ${freshFirst} limit ${NUMBERS}) n
      join trunks t on t.id = n.trunk_id
      union all
      select lane.id, ${numberFields}
      from lane cross join lateral (
        select p.* from campaign_numbers m
        join numbers p on p.workspace_id = ${workspaceId} and p.id = m.number_id
        left join busy b on b.id = p.id
        where lane.number_pool_id is null and m.workspace_id = ${workspaceId} and m.campaign_id = lane.id
          and not p.is_spam and not p.is_test_number and p.trunk_id is not null and ${hasRoom}
        order by ${freshFirst} limit ${NUMBERS}) n
      join trunks t on t.id = n.trunk_id
      union all
      select null, ${numberFields}
      from numbers n left join trunks t on t.id = n.trunk_id
      where n.workspace_id = ${workspaceId}
        and exists (select from calls where workspace_id = ${workspaceId} and lane_id is null and ${isDue})
        and exists (select from calls
                    where workspace_id = ${workspaceId} and number_id = n.id and lane_id is null and ${isDue}))
    select ${ownLimit} as "callLimit", ${above} as "aboveLimits",
      coalesce((
        select jsonb_agg(jsonb_build_object(
                 'id', lane.id, 'state', state, 'callConfig', call_config,
                 'concurrencyPercentage', concurrency_percentage, 'servedAt', ${ms('served_at')},
                 'endAt', ${ms('end_at')}, 'rampLimit', ramp_limit, 'rampAt', ${ms('ramp_at')},
                 'activeVersionId', active_version_id, 'isAbLive', is_ab_live, 'versions', versions)
                 order by served_at, lane.id)
        from lane join agent on agent.id = lane.agent_id), '[]') as lanes,
      coalesce((select jsonb_agg(m) from number m), '[]') as numbers,
      coalesce((
        select jsonb_agg(jsonb_build_object('numberId', number_id, 'laneId', lane_id, 'live', live))
        from live), '[]') as live,
      case when ${withCallees}::boolean then coalesce((
        select jsonb_agg(to_number) from calls
        where workspace_id = ${workspaceId} and status = 'ongoing' and call_type = 'outbound'), '[]')
      else '[]' end as callees`.execute(tx);
  const [facts] = rows;
  if (facts === undefined) throw new Error('a statement without a row');
  return facts;
}

/** How a campaign's calls went since `since`: attempts that ended, and live ones that ring or were answered. */
export async function laneProgress(
  tx: Tx,
  workspaceId: string,
  laneId: string,
  since: Date,
): Promise<{ connected: number; failed: number }> {
  const { rows } = await sql<{ connected: number; failed: number; live: number }>`
    select count(*) filter (where not failed)::int as connected, count(*) filter (where failed)::int as failed,
           (select count(*)::int from calls
            where workspace_id = ${workspaceId} and status = 'ongoing' and lane_id = ${laneId}
              and sub_status in ('RINGING', 'ACCEPTED')) as live
    from (select ${isFailure} as failed from call_attempts
          where workspace_id = ${workspaceId} and lane_id = ${laneId} and ended_at > ${since}
            and lane_id is not null and ended_at is not null
          order by ended_at desc limit 100) a`.execute(tx);
  const { connected = 0, failed = 0, live = 0 } = rows[0] ?? {};
  return { connected: connected + live, failed };
}

/** The last attempts from each number since it rested: how many, and how many of them were answered. */
export async function numberRates(
  tx: Tx,
  workspaceId: string,
  numbers: readonly { readonly id: string; readonly since: Date }[],
  attempts: number,
): Promise<Map<string, { attempts: number; answered: number }>> {
  const { rows } = await sql<{ id: string; attempts: number; answered: number }>`
    select q.id, count(*)::int as attempts, count(a.answered_at)::int as answered
    from unnest(${numbers.map((n) => n.id)}::uuid[], ${numbers.map((n) => n.since)}::timestamptz[])
      as q (id, since)
    cross join lateral (
      select answered_at from call_attempts
      where workspace_id = ${workspaceId} and number_id = q.id and ended_at > q.since and ended_at is not null
      order by ended_at desc limit ${attempts}) a
    group by q.id`.execute(tx);
  return new Map(rows.map(({ id, ...rate }) => [id, rate]));
}

/** Notes that these numbers were looked at, and until when some of them rest. One locked elsewhere is passed by. */
export async function saveRates(
  tx: Tx,
  workspaceId: string,
  numbers: readonly { readonly id: string; readonly restUntil: Date | null }[],
  now: Date,
): Promise<void> {
  await sql`
    update numbers n set rated_at = ${now}, rest_until = coalesce(q.rest_until, n.rest_until)
    from (select id, rest_until from unnest(${numbers.map((n) => n.id)}::uuid[],
            ${numbers.map((n) => n.restUntil)}::timestamptz[]) as u (id, rest_until)) q,
         (select id from numbers
          where workspace_id = ${workspaceId} and id = any(${numbers.map((n) => n.id)}::uuid[])
          for no key update skip locked) free
    where n.workspace_id = ${workspaceId} and n.id = q.id and free.id = n.id`.execute(tx);
}

/** Says that campaigns were looked at: those that could start nothing do not hide the ones behind them. */
export async function noteLooked(
  tx: Tx,
  workspaceId: string,
  laneIds: readonly string[],
  now: Date,
): Promise<void> {
  await sql`
    update campaigns set looked_at = ${now}
    where workspace_id = ${workspaceId} and id = any(${laneIds}::uuid[])`.execute(tx);
}
