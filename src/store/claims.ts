import { sql } from 'kysely';
import type { JsonObject } from './schema.ts';
import { callLimitOf } from './call-limit.ts';
import type { Tx } from './database.ts';

/**
 * The statements of the dialer's claim: a tenant is picked and locked, then everything about it is read by later
 * statements of the same transaction. One statement for both would count live calls in a snapshot taken before the
 * lock was granted, and so overshoot limits under load.
 */
export interface Tenant {
  readonly id: string;
  readonly credits: number;
  readonly lockedCredits: number;
  readonly unlimited: boolean;
  readonly callLimit: number;
}

/**
 * The workspace with due calls that was served longest ago, locked until commit; null when there is none left, or
 * when `nodeId` is fenced or draining. A locked one is another dialer's and is skipped.
 */
export async function pickTenant(
  tx: Tx,
  input: { nodeId: string; now: Date; visited: readonly string[] },
): Promise<Tenant | null> {
  const { rows } = await sql<Tenant>`
    select id, credits, locked_credits as "lockedCredits", unlimited, ${callLimitOf} as "callLimit"
    from workspaces w
    where next_due_at <= ${input.now} and next_due_at < 'infinity' and id <> all(${input.visited}::uuid[])
      and exists (select from nodes where id = ${input.nodeId} and fenced_at is null and not draining)
    order by served_at limit 1
    for no key update of w skip locked`.execute(tx);
  return rows[0] ?? null;
}

/** Live calls of the workspace by caller number; null gathers those without one. */
export async function liveByNumber(tx: Tx, workspaceId: string): Promise<Map<string | null, number>> {
  const { rows } = await sql<{ numberId: string | null; live: number }>`
    select number_id as "numberId", count(*)::int as live
    from calls where workspace_id = ${workspaceId} and status = 'ongoing' group by number_id`.execute(tx);
  return new Map(rows.map((row) => [row.numberId, row.live]));
}

export interface DueNumber {
  readonly id: string;
  readonly displayName: string;
  readonly callLimit: number | null;
  readonly trunkId: string | null;
  readonly trunkMaxCalls: number | null;
}

/** The workspace's caller numbers that have due calls. */
export async function dueNumbers(tx: Tx, workspaceId: string, now: Date): Promise<DueNumber[]> {
  const { rows } = await sql<DueNumber>`
    select n.id, n.display_name as "displayName", n.call_limit as "callLimit", n.trunk_id as "trunkId",
           (t.settings ->> 'max_calls')::int as "trunkMaxCalls"
    from numbers n left join trunks t on t.id = n.trunk_id
    where n.workspace_id = ${workspaceId}
      and exists (select from calls c
                  where c.workspace_id = n.workspace_id and c.number_id = n.id and c.lane_id is null
                    and c.status in ('registered', 'retry') and c.next_attempt_at <= ${now})`.execute(tx);
  return rows;
}

/** Locks trunks shared between workspaces, so that their limits hold, then counts what is live on each. */
export async function liveOnTrunks(tx: Tx, trunkIds: readonly string[]): Promise<Map<string, number>> {
  if (trunkIds.length === 0) return new Map();
  await sql`select from trunks where id = any(${trunkIds}::uuid[]) order by id for no key update`.execute(tx);
  const { rows } = await sql<{ trunkId: string; live: number }>`
    select n.trunk_id as "trunkId", count(*)::int as live
    from numbers n join calls c
      on c.workspace_id = n.workspace_id and c.number_id = n.id and c.status = 'ongoing'
    where n.trunk_id = any(${trunkIds}::uuid[]) group by n.trunk_id`.execute(tx);
  return new Map(rows.map((row) => [row.trunkId, row.live]));
}

export interface Candidate {
  readonly id: string;
  readonly numberId: string;
  readonly status: 'registered' | 'retry';
  readonly attempt: number;
  readonly agentId: string;
  readonly versionId: string;
  readonly fromNumber: string;
  readonly toNumber: string;
  readonly calleeName: string;
  readonly args: Record<string, string>;
  readonly callConfig: JsonObject | null;
  readonly agentName: string;
  readonly agentType: string;
  readonly versionConfig: JsonObject;
  readonly doNotCall: boolean;
  readonly agentArchived: boolean;
}

/** The oldest due calls of each number, at most `take` of it, locked; oldest first over all numbers. */
export async function dueCalls(
  tx: Tx,
  workspaceId: string,
  now: Date,
  numbers: readonly { id: string; take: number }[],
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select c.id, c.number_id as "numberId", c.status, c.attempt, c.agent_id as "agentId",
           c.version_id as "versionId", c.from_number as "fromNumber", c.to_number as "toNumber",
           c.callee_name as "calleeName", c.args, c.call_config as "callConfig",
           a.display_name as "agentName", a.agent_type as "agentType",
           case when c.voice_id is null then v.config
             else jsonb_set(v.config, '{voice_id}', to_jsonb(c.voice_id::text)) end as "versionConfig",
           a.archived_at is not null as "agentArchived",
           exists (select from do_not_call d
                   where d.workspace_id = ${workspaceId} and d.number = c.to_number) as "doNotCall"
    from unnest(${numbers.map((n) => n.id)}::uuid[], ${numbers.map((n) => n.take)}::int[]) as q (number_id, take)
    cross join lateral (
      select * from calls
      where workspace_id = ${workspaceId} and number_id = q.number_id and lane_id is null
        and status in ('registered', 'retry') and next_attempt_at <= ${now}
      order by next_attempt_at limit q.take
      for update skip locked) c
    join agents a on a.workspace_id = ${workspaceId} and a.id = c.agent_id
    join agent_versions v on v.workspace_id = ${workspaceId} and v.id = c.version_id
    order by c.next_attempt_at, c.id`.execute(tx);
  return rows;
}

/** Turns locked candidates into live attempts: status, journal row and money lock together. */
export async function startAttempts(
  tx: Tx,
  workspaceId: string,
  nodeId: string,
  now: Date,
  claims: readonly { id: string; attempt: number; reserved: number }[],
): Promise<void> {
  const ids = claims.map((claim) => claim.id);
  const attempts = claims.map((claim) => claim.attempt);
  const reserved = claims.map((claim) => claim.reserved);
  await sql`
    update calls c
    set status = 'ongoing', sub_status = 'QUEUED', attempt = q.attempt, reserved = q.reserved,
        node_id = ${nodeId}, next_attempt_at = null, updated_at = ${now},
        dialed_at = null, answered_at = null, ended_at = null, duration_ms = null, hangup_by = null
    from unnest(${ids}::uuid[], ${attempts}::smallint[], ${reserved}::bigint[]) as q (id, attempt, reserved)
    where c.workspace_id = ${workspaceId} and c.id = q.id`.execute(tx);
  await sql`
    insert into call_attempts (workspace_id, call_id, attempt, node_id, status, claimed_at)
    select ${workspaceId}, id, attempt, ${nodeId}, 'claimed', ${now}
    from unnest(${ids}::uuid[], ${attempts}::smallint[]) as q (id, attempt)`.execute(tx);
  await sql`
    insert into ledger (workspace_id, call_id, attempt, kind, amount, at)
    select ${workspaceId}, id, attempt, 'lock', amount, ${now}
    from unnest(${ids}::uuid[], ${attempts}::smallint[], ${reserved}::bigint[]) as q (id, attempt, amount)
    where amount > 0`.execute(tx);
}

/** Puts queued calls off: they stay in the queue with a reason and a new due time. */
export async function deferCalls(
  tx: Tx,
  workspaceId: string,
  now: Date,
  subStatus: string,
  calls: readonly { id: string; dueAt: Date }[],
): Promise<void> {
  if (calls.length === 0) return;
  await sql`
    update calls c set sub_status = ${subStatus}, next_attempt_at = q.due_at, updated_at = ${now}
    from unnest(${calls.map((c) => c.id)}::uuid[], ${calls.map((c) => c.dueAt)}::timestamptz[]) as q (id, due_at)
    where c.workspace_id = ${workspaceId} and c.id = q.id`.execute(tx);
}

/** How many waiting calls of a number show that a limit holds them; the rest stand behind these. */
const SHOWN_HELD = 20;

/** Says on the first due calls of these numbers that a limit holds them. They stay due. */
export async function showHeld(
  tx: Tx,
  workspaceId: string,
  now: Date,
  numberIds: readonly string[],
): Promise<void> {
  if (numberIds.length === 0) return;
  await sql`
    with head as (
      select c.id from unnest(${numberIds}::uuid[]) as q (number_id)
      cross join lateral (
        select id, sub_status from calls
        where workspace_id = ${workspaceId} and number_id = q.number_id and lane_id is null
          and status in ('registered', 'retry') and next_attempt_at <= ${now}
        order by next_attempt_at limit ${SHOWN_HELD}
        for update skip locked) c
      where c.sub_status <> 'LIMIT_REACHED')
    update calls set sub_status = 'LIMIT_REACHED', updated_at = ${now}
    from head where calls.workspace_id = ${workspaceId} and calls.id = head.id`.execute(tx);
}

/** Ends the tenant's turn: money locked, place in the round, and when it next has something due. */
export async function endTurn(tx: Tx, workspaceId: string, now: Date, locked: number): Promise<void> {
  await sql`
    update workspaces w
    set locked_credits = locked_credits + ${locked}, served_at = ${now},
        next_due_at = coalesce((
          select min(c.next_attempt_at) from numbers n cross join lateral (
            select next_attempt_at from calls
            where workspace_id = n.workspace_id and number_id = n.id and lane_id is null and status in ('registered', 'retry')
            order by next_attempt_at limit 1) c
          where n.workspace_id = w.id), 'infinity')
    where id = ${workspaceId}`.execute(tx);
}
