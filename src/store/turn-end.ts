import { sql, type RawBuilder } from 'kysely';
import type { Tx } from './database.ts';

/** An attempt to begin. What is null stays as the call has it. */
export interface AttemptStart {
  readonly id: string;
  readonly attempt: number;
  readonly reserved: number;
  readonly laneId: string | null;
  /** The number the attempt is made from; an inbound one is made from none of ours. */
  readonly numberId: string | null;
  readonly fromNumber: string | null;
  /** Whom it calls; null: nobody. */
  readonly toNumber: string | null;
  readonly versionId: string | null;
}

/** The parts of a statement that make live attempts of locked calls: status, journal row and money lock together. */
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
        ${starts.map((s) => s.reserved)}::bigint[], ${starts.map((s) => s.laneId)}::uuid[],
        ${starts.map((s) => s.numberId)}::uuid[], ${starts.map((s) => s.fromNumber)}::text[],
        ${starts.map((s) => s.toNumber)}::text[], ${starts.map((s) => s.versionId)}::uuid[])
        as u (id, attempt, reserved, lane_id, number_id, from_number, to_number, version_id)),
    live as (
      update calls c
      set status = 'ongoing', sub_status = 'QUEUED', attempt = q.attempt, reserved = q.reserved,
          node_id = ${nodeId}, next_attempt_at = null, updated_at = ${now},
          dialed_at = null, answered_at = null, ended_at = null, duration_ms = null, hangup_by = null,
          number_id = coalesce(q.number_id, c.number_id), from_number = coalesce(q.from_number, c.from_number),
          version_id = coalesce(q.version_id, c.version_id)
      from start q where c.workspace_id = ${workspaceId} and c.id = q.id),
    journal as (
      insert into call_attempts (workspace_id, call_id, attempt, node_id, status, claimed_at, lane_id, number_id,
                                 to_number)
      select ${workspaceId}, id, attempt, ${nodeId}, 'claimed', ${now}, lane_id, number_id, to_number from start),
    money as (
      insert into ledger (workspace_id, call_id, attempt, kind, amount, at)
      select ${workspaceId}, id, attempt, 'lock', reserved, ${now} from start where reserved > 0)`;
}

/** Turns locked calls into live attempts. */
export async function startAttempts(
  tx: Tx,
  workspaceId: string,
  nodeId: string,
  now: Date,
  starts: readonly AttemptStart[],
): Promise<void> {
  await sql`with ${startParts(workspaceId, nodeId, now, starts)} select`.execute(tx);
}

/** What a turn made of a campaign. */
export interface LaneEnd {
  readonly id: string;
  /** Calls of it were started. */
  readonly isServed: boolean;
  readonly ramp: { readonly limit: number; readonly at: Date };
  /** It has nothing to do before; null: when its next call is due. */
  readonly holdUntil: Date | null;
  /** The workspace's money no longer covers a call. */
  readonly isBroke: boolean;
  /** More is due now than the turn took: its hint stays. */
  readonly isDeep: boolean;
}

export interface TurnEnd {
  readonly nodeId: string;
  readonly starts: readonly AttemptStart[];
  readonly lanes: readonly LaneEnd[];
  /** Caller numbers that were used, and when: microseconds since the epoch. */
  readonly used: readonly { readonly id: string; readonly usedAt: number }[];
  readonly isOwnServed: boolean;
}

const BROKE = 'The credits of the workspace no longer cover a call.';

/**
 * Ends the tenant's turn: chosen calls become live attempts, money is locked, campaigns that began have begun, and it
 * is written down when each campaign and the workspace next have something due. It runs after every other change of
 * the turn and so sees them; the calls that it starts itself it leaves out by their ids.
 */
export async function endTurn(tx: Tx, workspaceId: string, now: Date, end: TurnEnd): Promise<void> {
  const { lanes, used, starts } = end;
  const started = sql`${starts.map((s) => s.id)}::uuid[]`;
  const locked = starts.reduce((sum, start) => sum + start.reserved, 0);
  const isDeep = lanes.some((lane) => lane.isDeep);
  await sql`/* hot:end_turn */
    with ${startParts(workspaceId, end.nodeId, now, starts)},
    q as materialized (
      select * from unnest(
        ${lanes.map((l) => l.id)}::uuid[], ${lanes.map((l) => l.isServed)}::boolean[],
        ${lanes.map((l) => l.ramp.limit)}::int[], ${lanes.map((l) => l.ramp.at)}::timestamptz[],
        ${lanes.map((l) => l.holdUntil)}::timestamptz[], ${lanes.map((l) => l.isBroke)}::boolean[],
        ${lanes.map((l) => l.isDeep)}::boolean[])
        as u (id, is_served, ramp_limit, ramp_at, hold_until, is_broke, is_deep)),
    lanes as (
      update campaigns l
      set served_at = case when q.is_served then ${now} else l.served_at end,
          started_at = case when q.is_served then coalesce(l.started_at, ${now}) else l.started_at end,
          state = case when q.is_broke then 'insufficient_balance' when q.is_served then 'ongoing' else l.state end,
          message = case when q.is_broke then ${BROKE} else l.message end,
          updated_at = case when q.is_broke or q.is_served and l.state = 'scheduled' then ${now}
                            else l.updated_at end,
          ramp_limit = q.ramp_limit, ramp_at = q.ramp_at,
          next_due_at = case when q.is_deep then l.next_due_at else greatest(q.hold_until, coalesce((
            select c.next_attempt_at from calls c
            where c.workspace_id = ${workspaceId} and c.lane_id = q.id and c.lane_id is not null
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
           where c.workspace_id = ${workspaceId} and c.lane_id is null and c.status in ('registered', 'retry')
             and c.id <> all(${started})
           order by c.next_attempt_at limit 1),
          (select min(next_due_at) from lanes where state in ('scheduled', 'ongoing')),
          (select min(greatest(l.next_due_at, l.start_at)) from campaigns l
           where l.workspace_id = ${workspaceId} and l.state in ('scheduled', 'ongoing')
             and (l.end_at is null or l.end_at > ${now}) and l.id <> all(${lanes.map((l) => l.id)}::uuid[]))
        ), 'infinity') end
    where id = ${workspaceId}`.execute(tx);
}
