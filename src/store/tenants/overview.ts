import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { countsOf } from '../campaigns/counts.ts';
import type { CampaignState } from '../schema.ts';

/** Upper bound of the counted queued calls, which bounds the cost of counting. */
const MAX_WAITING = 10_000;
const MAX_CAMPAIGNS = 50;
/** Open chats that the version of their topic considers. */
const MAX_OPEN_CHATS = 2_000;
/** Calls marked last as done that the version of calls considers: a mark that is taken away is one of them. */
const LAST_FOLLOW_UPS = 20;
/** Deliveries and calls that the shares and reply delays count at most, newest or last dialled first. */
const LAST_DELIVERIES = 1_000;
const LAST_CALLS = 200;

/** Queued individual calls with the same reason for waiting. */
export interface WaitingCalls {
  readonly reason: string;
  readonly calls: number;
  readonly nextAttemptAt: Date | null;
}
/** A campaign that was started and has not ended. */
export interface RunningCampaign {
  readonly id: string;
  readonly name: string;
  readonly state: CampaignState;
  readonly message: string | null;
  /** Contacts that wait for their first attempt or a retry. */
  readonly waiting: number;
  /** The sub-status of its next contact; null: none waits. */
  readonly reason: string | null;
  readonly nextAttemptAt: Date | null;
}
export interface Overview {
  readonly live: number;
  readonly waiting: readonly WaitingCalls[];
  readonly campaigns: readonly RunningCampaign[];
  /** Of the newest deliveries since `dayAgo`, without those of test events. */
  readonly deliveries: { readonly checked: number; readonly failed: number; readonly retrying: number };
  /** Milliseconds from the end of the caller's speech to the answer, in the calls dialled last since `dayAgo`. */
  readonly latency: { readonly turns: number; readonly p50: number | null; readonly p95: number | null };
}

export async function readOverview(db: Db, workspaceId: string, dayAgo: Date): Promise<Overview> {
  const [facts, waiting, campaigns] = await Promise.all([
    readFacts(db, workspaceId, dayAgo),
    readWaiting(db, workspaceId),
    readRunning(db, workspaceId),
  ]);
  return {
    live: facts.live,
    waiting,
    campaigns,
    deliveries: { checked: facts.checked, failed: facts.failed, retrying: facts.retrying },
    latency: { turns: facts.turns, p50: facts.p50, p95: facts.p95 },
  };
}

interface Facts {
  readonly live: number;
  readonly checked: number;
  readonly failed: number;
  readonly retrying: number;
  readonly turns: number;
  readonly p50: number | null;
  readonly p95: number | null;
}

async function readFacts(db: Db, workspaceId: string, dayAgo: Date): Promise<Facts> {
  const { rows } = await sql<Facts>`
    select live.*, sent.*, spoken.* from
      (select count(*)::int as live from calls where workspace_id = ${workspaceId} and status = 'ongoing') live,
      (select count(*)::int as checked, count(*) filter (where state = 'dead')::int as failed,
              count(*) filter (where state = 'due' and attempt > 0)::int as retrying
       from (select state, attempt, is_test from deliveries
             where workspace_id = ${workspaceId} and created_at >= ${dayAgo}
             order by created_at desc, id desc limit ${sql.lit(LAST_DELIVERIES)}) d
       where not is_test) sent,
      (select count(*)::int as turns, percentile_cont(0.5) within group (order by t.ms) as p50,
              percentile_cont(0.95) within group (order by t.ms) as p95
       from (select id from calls where workspace_id = ${workspaceId}
               and (dialed_at is not null or call_type <> 'outbound') and coalesce(dialed_at, created_at) >= ${dayAgo}
             order by coalesce(dialed_at, created_at) desc, id desc limit ${sql.lit(LAST_CALLS)}) c
       join call_records r on r.workspace_id = ${workspaceId} and r.call_id = c.id
       cross join lateral (
         select (turn ->> 'totalMs')::float8 as ms from jsonb_array_elements(coalesce(r.latency, '[]')) turn) t
       where t.ms is not null) spoken`.execute(db);
  return rows[0]!;
}

async function readWaiting(db: Db, workspaceId: string): Promise<WaitingCalls[]> {
  const { rows } = await sql<WaitingCalls>`
    select sub_status as reason, count(*)::int as calls, min(next_attempt_at) as "nextAttemptAt"
    from (select sub_status, next_attempt_at from calls
          where workspace_id = ${workspaceId} and campaign_id is null and status in ('registered', 'retry')
          order by next_attempt_at limit ${sql.lit(MAX_WAITING)}) c
    group by sub_status order by calls desc, reason`.execute(db);
  return rows;
}

async function readRunning(db: Db, workspaceId: string): Promise<RunningCampaign[]> {
  const { rows } = await sql<RunningCampaign>`
    select p.id, p.name, p.state, p.message, head.sub_status as reason, head.next_attempt_at as "nextAttemptAt",
           n.registered + n.retry as waiting
    from (select * from campaigns
          where workspace_id = ${workspaceId} and state in ('scheduled', 'ongoing', 'paused', 'insufficient_balance')
          order by created_at desc limit ${sql.lit(MAX_CAMPAIGNS)}) p
    ${countsOf('n')}
    left join lateral (
      select sub_status, next_attempt_at from calls
      where workspace_id = p.workspace_id and campaign_id = p.id and campaign_id is not null
        and status in ('registered', 'retry')
      order by next_attempt_at limit 1) head on true
    order by p.created_at desc, p.id`.execute(db);
  return rows;
}

/** What a workspace's pages show, by topic: each text changes with the data of the topic. */
export type Versions = Readonly<Record<Topic, string>>;
export const TOPICS = [
  'calls',
  'campaigns',
  'webhooks',
  'knowledge',
  'credits',
  'chats',
  'agents',
  'tests',
  'requests',
] as const;
export type Topic = (typeof TOPICS)[number];

/**
 * The version of each topic, along indexes, so that its cost does not depend on the length of the history. Endings of
 * calls are counted by their newest one and, once folded, by the sums of the last days.
 */
export async function readVersions(db: Db, workspaceId: string, now: Date): Promise<Versions> {
  const firstDay = new Date(now.getTime() - 2 * 86_400_000).toISOString().slice(0, 10);
  const { rows } = await sql<Record<Topic, string>>`
    select
      (select count(*) || ' ' || coalesce(max(updated_at)::text, '')
       from calls where workspace_id = ${workspaceId} and status = 'ongoing')
      || ' ' || coalesce((select id::text from calls where workspace_id = ${workspaceId}
                          order by created_at desc, id desc limit 1), '')
      || ' ' || (select count(*) from (
          select from calls where workspace_id = ${workspaceId} and campaign_id is null
            and status in ('registered', 'retry') limit ${sql.lit(MAX_WAITING)}) c)
      || ' ' || coalesce((select sum(calls) from call_totals
                          where workspace_id = ${workspaceId} and day >= ${firstDay}::date), 0)
      || ' ' || coalesce((select id from call_endings where workspace_id = ${workspaceId}
                          order by id desc limit 1), 0)
      || ' ' || coalesce((select hashtextextended(string_agg(call_id::text, ' ' order by done_at, call_id), 0) from (
          select call_id, done_at from call_follow_ups where workspace_id = ${workspaceId}
          order by done_at desc limit ${sql.lit(LAST_FOLLOW_UPS)}) f), 0) as calls,
      (select count(*) || ' ' || coalesce(max(updated_at)::text, '') || ' ' || coalesce(sum(processed_rows), 0)
       from campaigns where workspace_id = ${workspaceId}) as campaigns,
      coalesce((select id::text from deliveries where workspace_id = ${workspaceId}
                order by created_at desc, id desc limit 1), '')
      || ' ' || coalesce((select count(*) || ' ' || sum(attempt) from (
          select attempt from delivery_queue where workspace_id = ${workspaceId}
          limit ${sql.lit(LAST_DELIVERIES)}) q), '') as webhooks,
      (select count(*) || ' ' || coalesce(max(updated_at)::text, '')
       from knowledge_sources where workspace_id = ${workspaceId})
      || ' ' || (select count(*) || ' ' || coalesce(max(updated_at)::text, '')
                 from knowledge_bases where workspace_id = ${workspaceId}) as knowledge,
      (select credits || ' ' || locked_credits from workspaces where id = ${workspaceId}) as credits,
      coalesce((select seq from chat_messages where workspace_id = ${workspaceId} order by seq desc limit 1), 0)
      || ' ' || coalesce((select id::text from chats where workspace_id = ${workspaceId} and channel <> 'test'
                          order by created_at desc, id desc limit 1), '')
      || ' ' || coalesce((select processed_at::text from chats
                          where workspace_id = ${workspaceId} and processed_at is not null
                          order by processed_at desc limit 1), '')
      || ' ' || (select count(*) || ' ' || coalesce(string_agg(taken_at::text || taken_by, ',' order by id), '') from (
          select id, taken_at, taken_by from chats where workspace_id = ${workspaceId} and state <> 'closed'
          limit ${sql.lit(MAX_OPEN_CHATS)}) o) as chats,
      (select count(*) || ' ' || coalesce(max(updated_at)::text, '')
       from agents where workspace_id = ${workspaceId})
      || ' ' || (select count(*) || ' ' || coalesce(max(updated_at)::text, '')
                 from agent_versions where workspace_id = ${workspaceId}) as agents,
      (select count(*) || ' ' || coalesce(max(updated_at)::text, '')
       from agent_test_cases where workspace_id = ${workspaceId})
      || ' ' || (select count(*) || ' ' || count(*) filter (where state = 'running')
                 from agent_test_results where workspace_id = ${workspaceId} and state in ('queued', 'running'))
      || ' ' || coalesce((select updated_at::text from agent_test_results where workspace_id = ${workspaceId}
                          order by updated_at desc limit 1), '') as tests,
      coalesce((select id::text from api_requests where workspace_id = ${workspaceId}
                order by id desc limit 1), '') as requests`.execute(db);
  return rows[0]!;
}
