import { versionDocument, type VersionConfig } from '../json/agent-version.ts';
import { callLevelDocument, type CallLevelConfig } from '../json/call-config.ts';
import type { Stored, Wire } from '../../shared/wire-names.ts';
import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { CampaignState, JsonObject } from '../schema.ts';
import { attemptedSince, openSince } from '../months/since.ts';
import { settingsOf, unlimitedOf } from '../terms.ts';

/**
 * The statements of a claim. The first one picks and locks a workspace; every later statement of the transaction has a
 * snapshot taken after that lock. One statement for both would count live calls in a snapshot from before the lock was
 * granted, miss those of the dialer that held it, and overshoot limits under load. Statements marked `hot:` are
 * prepared once per connection.
 */

/** Where a claim looks for calls. */
export interface ClaimScope {
  /** The workspace. */
  readonly id: string;
  /** The least id that a waiting or live call may have, so that no older month is looked into (`noteOpenSince`). */
  readonly openSince: string;
}

/** The workspace of a batch. Micro-credits. */
export interface Tenant extends ClaimScope {
  readonly credits: number;
  readonly lockedCredits: number;
  /** The part of `lockedCredits` for calls and chats that a stranger began. */
  readonly strangerLocked: number;
  readonly unlimited: boolean;
  readonly settings: JsonObject;
  /** When a batch last started an individual call, epoch ms: their place in the round-robin order. */
  readonly ownServedAt: number;
}

/**
 * When `pickTenant` will find a workspace, epoch ms; null: no call waits. Rounded up to a millisecond, so that the call is due then to
 * PostgreSQL, too.
 */
export const NEXT_DUE_AT = sql<number | null>`
  (select ceil(extract(epoch from min(next_due_at)) * 1000)::float8 from workspaces
    where next_due_at < 'infinity' and archived_at is null)`;

/** The same with Infinity for null. Needs neither a lock nor a transaction. */
export async function nextDueAt(db: Db): Promise<number> {
  const { rows } = await sql<{ dueAt: number | null }>`/* hot:next_due_at */
    select ${NEXT_DUE_AT} as "dueAt"`.execute(db);
  return rows[0]?.dueAt ?? Number.POSITIVE_INFINITY;
}

/**
 * Locks the workspace with due calls that was served longest ago until commit. Null when there is none, or when
 * `nodeId` is fenced or draining. SKIP LOCKED: a workspace that another dialer is claiming for is passed over, so
 * dialers never wait for each other here.
 *
 * Three settings hold for the whole transaction. `synchronous_commit` is off: the commit need not wait for the WAL flush,
 * because no INVITE leaves before the journal's own synchronous commit, whose flush includes this one; a claim lost in
 * a database crash never happened. `enable_seqscan` is off: plans are made once per connection, some while a table is
 * empty that fills within minutes, and such a plan would keep scanning the whole table. `plan_cache_mode`: without it
 * PostgreSQL plans a statement for its first five uses on a connection each time, and some at each use, which in a database of
 * twelve months costs ten times as much as in one of a single table.
 */
export async function pickTenant(
  tx: Tx,
  input: { nodeId: string; now: Date; visited: readonly string[] },
): Promise<Tenant | null> {
  const { rows } = await sql<Tenant>`/* hot:pick_tenant */
    with conf as materialized (
      select set_config('synchronous_commit', 'off', true), set_config('enable_seqscan', 'off', true),
        set_config('plan_cache_mode', 'force_generic_plan', true))
    select w.id, credits, locked_credits as "lockedCredits", stranger_locked as "strangerLocked",
           ${unlimitedOf('w')} as unlimited, ${settingsOf('w')} as settings,
           extract(epoch from own_served_at)::float8 * 1000 as "ownServedAt", ${openSince} as "openSince"
    from conf, workspaces w
    where next_due_at <= ${input.now} and next_due_at < 'infinity' and w.id <> all(${input.visited}::uuid[])
      and archived_at is null
      and exists (select from nodes where id = ${input.nodeId} and fenced_at is null and not draining)
    order by served_at limit 1
    for no key update of w skip locked`.execute(tx);
  return rows[0] ?? null;
}

export interface Candidate {
  readonly id: string;
  /** Null for a campaign's call before its first attempt; each attempt may use another number. */
  readonly numberId: string | null;
  readonly campaignId: string | null;
  /** For a callback: the campaign of the call that requested it. `endAt` is epoch ms. */
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
  readonly callConfig: CallLevelConfig | null;
  readonly doNotCall: boolean;
  /** If the callee frequency limit is exhausted: when the earliest of the counted attempts was claimed. */
  readonly frequentSince: Date | null;
}

/** The callee frequency limit: `attempts` to one callee since `since`. */
export interface Frequency {
  readonly attempts: number;
  readonly since: Date;
}

/** How many due calls to read of a campaign or of one number's individual calls. */
export interface Take {
  readonly id: string;
  readonly take: number;
}

/**
 * Reads and locks the oldest due calls of each campaign and number, at most `take` each, in the order of their due
 * times.
 */
export async function dueCalls(
  tx: Tx,
  { id: workspaceId, openSince: since }: ClaimScope,
  now: Date,
  campaigns: readonly Take[],
  numbers: readonly Take[],
  frequency: Frequency | null,
): Promise<Candidate[]> {
  const { rows } = await sql<Stored<Candidate, 'callConfig'>>`/* hot:due_calls */
    select c.id, c.number_id as "numberId", c.campaign_id as "campaignId", c.attempt, c.agent_id as "agentId",
           a.display_name as "agentName", a.agent_type as "agentType",
           a.archived_at is not null as "agentArchived", c.version_id as "versionId", c.voice_id as "voiceId",
           c.from_number as "fromNumber", c.to_number as "toNumber", c.callee_name as "calleeName", c.args,
           c.call_config as "callConfig",
           exists (select from do_not_call d where d.workspace_id = ${workspaceId} and d.number = c.to_number)
             or coalesce(c.campaign_id, c.origin_campaign_id) is not null and exists (
               select from campaign_do_not_call d
               where d.workspace_id = ${workspaceId} and d.campaign_id = coalesce(c.campaign_id, c.origin_campaign_id)
                 and d.number = c.to_number) as "doNotCall",
           case when c.origin_campaign_id is not null then (
             select jsonb_build_object('state', o.state, 'endAt', extract(epoch from o.end_at)::float8 * 1000)
             from campaigns o where o.workspace_id = ${workspaceId} and o.id = c.origin_campaign_id) end as origin,
           case when ${frequency?.attempts ?? null}::int is null then null else (
             select claimed_at from call_attempts r
             where r.workspace_id = ${workspaceId} and r.to_number = c.to_number
               and r.claimed_at > ${frequency?.since ?? null}::timestamptz
               and r.call_id >= ${attemptedSince(frequency?.since ?? null)}
             order by r.claimed_at desc offset ${frequency?.attempts ?? null}::int - 1 limit 1)
           end as "frequentSince"
    from (
      select due.* from unnest(${campaigns.map((c) => c.id)}::uuid[], ${campaigns.map((c) => c.take)}::int[])
        as q (campaign_id, take)
      cross join lateral (
        select * from calls
        where workspace_id = ${workspaceId} and campaign_id = q.campaign_id and campaign_id is not null
          and status in ('registered', 'retry') and next_attempt_at <= ${now} and id >= ${since}
        order by next_attempt_at limit q.take
        for update skip locked) due
      union all
      select due.* from unnest(${numbers.map((n) => n.id)}::uuid[], ${numbers.map((n) => n.take)}::int[])
        as q (number_id, take)
      cross join lateral (
        select * from calls
        where workspace_id = ${workspaceId} and number_id = q.number_id and campaign_id is null
          and status in ('registered', 'retry') and next_attempt_at <= ${now} and id >= ${since}
        order by next_attempt_at limit q.take
        for update skip locked) due) c
    join agents a on a.workspace_id = ${workspaceId} and a.id = c.agent_id
    order by c.next_attempt_at, c.id`.execute(tx);
  return callLevelDocument.readIn(rows, 'callConfig');
}

/** The fields of a due call that decide whether it must be deferred. */
export type WaitingHead = Pick<
  Candidate,
  'id' | 'attempt' | 'versionId' | 'toNumber' | 'callConfig' | 'numberId'
>;

/** Reads and locks the first `take` due calls of a campaign, to defer those that cannot start. */
export async function campaignHead(
  tx: Tx,
  { id: workspaceId, openSince: since }: ClaimScope,
  campaignId: string,
  now: Date,
  take: number,
): Promise<WaitingHead[]> {
  const { rows } = await sql<Stored<WaitingHead, 'callConfig'>>`/* hot:campaign_head */
    select id, attempt, version_id as "versionId", to_number as "toNumber", call_config as "callConfig",
           number_id as "numberId"
    from calls
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and campaign_id is not null
      and status in ('registered', 'retry') and next_attempt_at <= ${now} and id >= ${since}
    order by next_attempt_at limit ${take}
    for update skip locked`.execute(tx);
  return callLevelDocument.readIn(rows, 'callConfig');
}

/** The configs of these versions. */
export async function versionConfigs(
  tx: Tx,
  workspaceId: string,
  versionIds: readonly string[],
): Promise<Map<string, VersionConfig>> {
  const { rows } = await sql<{ id: string; config: Wire<VersionConfig> }>`/* hot:version_configs */
    select id, config from agent_versions
    where workspace_id = ${workspaceId} and id = any(${versionIds}::uuid[])`.execute(tx);
  return new Map(rows.map((row) => [row.id, versionDocument.read(row.config)]));
}

/** Defers queued calls: sets the reason as their sub-status and a new due time. */
export async function deferCalls(
  tx: Tx,
  workspaceId: string,
  now: Date,
  calls: readonly { readonly id: string; readonly subStatus: string; readonly dueAt: Date }[],
): Promise<void> {
  if (calls.length === 0) return;
  await sql`/* hot:defer_calls */
    update calls c set sub_status = q.sub_status, next_attempt_at = q.due_at, updated_at = ${now}
    from unnest(${calls.map((c) => c.id)}::uuid[], ${calls.map((c) => c.subStatus)}::text[],
                ${calls.map((c) => c.dueAt)}::timestamptz[]) as q (id, sub_status, due_at)
    where c.workspace_id = ${workspaceId} and c.id = q.id`.execute(tx);
}

/**
 * How many waiting calls of a number or campaign are marked as limited; the mark costs a row update, and the rest wait
 * behind these.
 */
const SHOWN_HELD = 20;

/**
 * Marks the first due calls of these campaigns and the first due individual calls of these numbers as `LIMIT_REACHED`.
 * They stay due. `except`: calls that start.
 */
export async function showHeld(
  tx: Tx,
  { id: workspaceId, openSince: since }: ClaimScope,
  now: Date,
  held: { readonly numberIds: readonly string[]; readonly campaignIds: readonly string[] },
  except: readonly string[],
): Promise<void> {
  if (held.numberIds.length + held.campaignIds.length === 0) return;
  const first = sql`status in ('registered', 'retry') and next_attempt_at <= ${now}
          and id >= ${since} and id <> all(${except}::uuid[])
        order by next_attempt_at limit ${SHOWN_HELD}
        for update skip locked`;
  await sql`/* hot:show_held */
    with own as (
      select c.id, c.sub_status from unnest(${held.numberIds}::uuid[]) as q (number_id)
      cross join lateral (
        select id, sub_status from calls
        where workspace_id = ${workspaceId} and number_id = q.number_id and campaign_id is null and ${first}) c),
    contacts as (
      select c.id, c.sub_status from unnest(${held.campaignIds}::uuid[]) as q (campaign_id)
      cross join lateral (
        select id, sub_status from calls
        where workspace_id = ${workspaceId} and campaign_id = q.campaign_id and campaign_id is not null
          and ${first}) c),
    head as (select * from own union all select * from contacts)
    update calls set sub_status = 'LIMIT_REACHED', updated_at = ${now}
    from head where calls.workspace_id = ${workspaceId} and calls.id = head.id and head.sub_status <> 'LIMIT_REACHED'`.execute(
    tx,
  );
}
