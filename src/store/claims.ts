import { sql } from 'kysely';
import type { Tx } from './database.ts';
import type { CampaignState, JsonObject } from './schema.ts';

/**
 * The statements of the dialer's claim: a tenant is picked and locked, then everything about it is read by later
 * statements of the same transaction. One statement for both would count live calls in a snapshot taken before the
 * lock was granted, and so overshoot limits under load. Those marked `hot:` are prepared once per connection.
 */
export interface Tenant {
  readonly id: string;
  readonly credits: number;
  readonly lockedCredits: number;
  readonly unlimited: boolean;
  readonly settings: JsonObject;
  /** When individual calls last had their turn among the campaigns. */
  readonly ownServedAt: number;
}

/**
 * The workspace with due calls that was served longest ago, locked until commit; null when there is none left, or
 * when `nodeId` is fenced or draining. A locked one is another dialer's and is skipped. The claim need not be on
 * disk before its answer: nothing is dialled before the journal's own commit, which takes it along. Its statements
 * read by index: plans are made once per connection, some while tables are empty that fill within minutes.
 */
export async function pickTenant(
  tx: Tx,
  input: { nodeId: string; now: Date; visited: readonly string[] },
): Promise<Tenant | null> {
  const { rows } = await sql<Tenant>`/* hot:pick_tenant */
    with conf as materialized (
      select set_config('synchronous_commit', 'off', true), set_config('enable_seqscan', 'off', true))
    select w.id, credits, locked_credits as "lockedCredits", unlimited, settings,
           extract(epoch from own_served_at)::float8 * 1000 as "ownServedAt"
    from conf, workspaces w
    where next_due_at <= ${input.now} and next_due_at < 'infinity' and w.id <> all(${input.visited}::uuid[])
      and exists (select from nodes where id = ${input.nodeId} and fenced_at is null and not draining)
    order by served_at limit 1
    for no key update of w skip locked`.execute(tx);
  return rows[0] ?? null;
}

export interface Candidate {
  readonly id: string;
  /** A campaign's call has none before its first attempt, and gets another with each. */
  readonly numberId: string | null;
  readonly laneId: string | null;
  /** Of a callback: the campaign in whose call it was asked for, with its end in epoch ms. */
  readonly origin: { readonly state: CampaignState; readonly endAt: number | null } | null;
  readonly attempt: number;
  readonly agentId: string;
  readonly agentName: string;
  readonly agentType: string;
  readonly agentArchived: boolean;
  readonly versionId: string;
  readonly voiceId: string | null;
  readonly fromNumber: string;
  readonly toNumber: string;
  readonly calleeName: string;
  readonly args: Record<string, string>;
  readonly callConfig: JsonObject | null;
  readonly doNotCall: boolean;
  /** Where the callee was called as often as it may be: when the first of those calls was. */
  readonly frequentSince: Date | null;
}

/** At most so many attempts to one callee; `since` is as far back as they are counted. */
export interface Frequency {
  readonly attempts: number;
  readonly since: Date;
}

/** How many due calls to take from a campaign or from one number's individual calls. */
export interface Take {
  readonly id: string;
  readonly take: number;
}

/** The oldest due calls of each campaign and each number, at most `take` of it, locked; oldest first. */
export async function dueCalls(
  tx: Tx,
  workspaceId: string,
  now: Date,
  lanes: readonly Take[],
  numbers: readonly Take[],
  frequency: Frequency | null,
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`/* hot:due_calls */
    select c.id, c.number_id as "numberId", c.lane_id as "laneId", c.attempt, c.agent_id as "agentId",
           a.display_name as "agentName", a.agent_type as "agentType",
           a.archived_at is not null as "agentArchived", c.version_id as "versionId", c.voice_id as "voiceId",
           c.from_number as "fromNumber", c.to_number as "toNumber", c.callee_name as "calleeName", c.args,
           c.call_config as "callConfig",
           exists (select from do_not_call d where d.workspace_id = ${workspaceId} and d.number = c.to_number)
             or coalesce(c.lane_id, c.origin_lane_id) is not null and exists (
               select from campaign_do_not_call d
               where d.workspace_id = ${workspaceId} and d.campaign_id = coalesce(c.lane_id, c.origin_lane_id)
                 and d.number = c.to_number) as "doNotCall",
           case when c.origin_lane_id is not null then (
             select jsonb_build_object('state', o.state, 'endAt', extract(epoch from o.end_at)::float8 * 1000)
             from campaigns o where o.workspace_id = ${workspaceId} and o.id = c.origin_lane_id) end as origin,
           case when ${frequency?.attempts ?? null}::int is null then null else (
             select claimed_at from call_attempts r
             where r.workspace_id = ${workspaceId} and r.to_number = c.to_number
               and r.claimed_at > ${frequency?.since ?? null}::timestamptz
             order by r.claimed_at desc offset ${frequency?.attempts ?? null}::int - 1 limit 1)
           end as "frequentSince"
    from (
      select due.* from unnest(${lanes.map((l) => l.id)}::uuid[], ${lanes.map((l) => l.take)}::int[])
        as q (lane_id, take)
      cross join lateral (
        select * from calls
        where workspace_id = ${workspaceId} and lane_id = q.lane_id and lane_id is not null
          and status in ('registered', 'retry') and next_attempt_at <= ${now}
        order by next_attempt_at limit q.take
        for update skip locked) due
      union all
      select due.* from unnest(${numbers.map((n) => n.id)}::uuid[], ${numbers.map((n) => n.take)}::int[])
        as q (number_id, take)
      cross join lateral (
        select * from calls
        where workspace_id = ${workspaceId} and number_id = q.number_id and lane_id is null
          and status in ('registered', 'retry') and next_attempt_at <= ${now}
        order by next_attempt_at limit q.take
        for update skip locked) due) c
    join agents a on a.workspace_id = ${workspaceId} and a.id = c.agent_id
    order by c.next_attempt_at, c.id`.execute(tx);
  return rows;
}

/** A due call as far as it takes to say that it must wait. */
export type WaitingHead = Pick<
  Candidate,
  'id' | 'attempt' | 'versionId' | 'toNumber' | 'callConfig' | 'numberId'
>;

/** More of a campaign's due calls, locked: a block of them that cannot start is put off at once. */
export async function laneHead(
  tx: Tx,
  workspaceId: string,
  laneId: string,
  now: Date,
  take: number,
): Promise<WaitingHead[]> {
  const { rows } = await sql<WaitingHead>`
    select id, attempt, version_id as "versionId", to_number as "toNumber", call_config as "callConfig",
           number_id as "numberId"
    from calls
    where workspace_id = ${workspaceId} and lane_id = ${laneId} and lane_id is not null
      and status in ('registered', 'retry') and next_attempt_at <= ${now}
    order by next_attempt_at limit ${take}
    for update skip locked`.execute(tx);
  return rows;
}

/** What these versions are made of. */
export async function versionConfigs(
  tx: Tx,
  workspaceId: string,
  versionIds: readonly string[],
): Promise<Map<string, JsonObject>> {
  const { rows } = await sql<{ id: string; config: JsonObject }>`/* hot:version_configs */
    select id, config from agent_versions
    where workspace_id = ${workspaceId} and id = any(${versionIds}::uuid[])`.execute(tx);
  return new Map(rows.map((row) => [row.id, row.config]));
}

/** Puts queued calls off: they stay in the queue with a reason and a new due time. */
export async function deferCalls(
  tx: Tx,
  workspaceId: string,
  now: Date,
  calls: readonly { readonly id: string; readonly subStatus: string; readonly dueAt: Date }[],
): Promise<void> {
  if (calls.length === 0) return;
  await sql`
    update calls c set sub_status = q.sub_status, next_attempt_at = q.due_at, updated_at = ${now}
    from unnest(${calls.map((c) => c.id)}::uuid[], ${calls.map((c) => c.subStatus)}::text[],
                ${calls.map((c) => c.dueAt)}::timestamptz[]) as q (id, sub_status, due_at)
    where c.workspace_id = ${workspaceId} and c.id = q.id`.execute(tx);
}

/** How many waiting calls of a number show that a limit holds them; the rest stand behind these. */
const SHOWN_HELD = 20;

/** Says on the first due individual calls of these numbers that a limit holds them. They stay due. `except` are starting. */
export async function showHeld(
  tx: Tx,
  workspaceId: string,
  now: Date,
  numberIds: readonly string[],
  except: readonly string[],
): Promise<void> {
  if (numberIds.length === 0) return;
  await sql`
    with head as (
      select c.id from unnest(${numberIds}::uuid[]) as q (number_id)
      cross join lateral (
        select id, sub_status from calls
        where workspace_id = ${workspaceId} and number_id = q.number_id and lane_id is null
          and status in ('registered', 'retry') and next_attempt_at <= ${now} and id <> all(${except}::uuid[])
        order by next_attempt_at limit ${SHOWN_HELD}
        for update skip locked) c
      where c.sub_status <> 'LIMIT_REACHED')
    update calls set sub_status = 'LIMIT_REACHED', updated_at = ${now}
    from head where calls.workspace_id = ${workspaceId} and calls.id = head.id`.execute(tx);
}
