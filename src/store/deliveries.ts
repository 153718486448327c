import { sql } from 'kysely';
import type { Db } from './database.ts';
import type { JsonObject } from './schema.ts';

/** A host as one workspace uses it: what limits of parallel requests count by. */
export interface Receiver {
  readonly workspaceId: string;
  readonly host: string;
}

export interface DueDelivery extends Receiver {
  readonly id: string;
  readonly eventId: string;
  readonly attempt: number;
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  /** The event as it is sent. */
  readonly body: string;
  /** Names this attempt when it ends: nobody else has a lease until then. */
  readonly leaseUntil: Date;
}

/**
 * Takes due deliveries for one attempt each: at most `limit`, and per receiver what `rooms` says, or `newRoom`. The
 * attempt counts from here on; should this process die, the delivery may be taken again at `leaseUntil`. An event
 * waits while an earlier one of its call to the same target is not over; one that is sent again on request holds up
 * only its like.
 *
 * The look for an earlier event is worded so that no index but the call's answers to it: while the table grows faster
 * than its statistics, the planner takes any other for as good.
 */
export async function takeDeliveries(
  db: Db,
  input: {
    readonly now: Date;
    readonly leaseUntil: Date;
    readonly limit: number;
    readonly newRoom: number;
    readonly rooms: readonly (Receiver & { readonly room: number })[];
  },
): Promise<DueDelivery[]> {
  const { now, leaseUntil, limit, newRoom, rooms } = input;
  const { rows } = await sql<Omit<DueDelivery, 'leaseUntil'>>`/* hot:take_deliveries */
    with recursive receivers as (
      (select host, workspace_id from delivery_queue order by host, workspace_id limit 1)
      union all
      select n.host, n.workspace_id from receivers r cross join lateral (
        select host, workspace_id from delivery_queue where (host, workspace_id) > (r.host, r.workspace_id)
        order by host, workspace_id limit 1) n),
    picked as (
      select p.workspace_id, p.id, p.due_at from receivers r
      left join unnest(${rooms.map((r) => r.workspaceId)}::uuid[], ${rooms.map((r) => r.host)}::text[],
                       ${rooms.map((r) => r.room)}::int[]) as k (workspace_id, host, room)
        on k.workspace_id = r.workspace_id and k.host = r.host
      cross join lateral (
        select q.workspace_id, q.id, q.due_at from delivery_queue q
        where q.host = r.host and q.workspace_id = r.workspace_id and q.due_at <= ${now} and q.leased_until <= ${now}
          and (
            select e.id from delivery_queue e
            where e.call_id = q.call_id and e.event_seq < q.event_seq
              and e.workspace_id is not distinct from q.workspace_id and e.target is not distinct from q.target
              and (not e.is_resend or q.is_resend)
            order by e.event_seq limit 1) is null
        order by q.due_at limit coalesce(k.room, ${newRoom})) p
      where coalesce(k.room, ${newRoom}) > 0),
    fair as (select workspace_id, id from picked order by due_at limit ${limit}),
    taken as (
      select q.workspace_id, q.id from delivery_queue q
      join fair f on f.workspace_id = q.workspace_id and f.id = q.id
      where q.due_at <= ${now} and q.leased_until <= ${now}
      for update of q skip locked)
    update delivery_queue q set attempt = q.attempt + 1, leased_until = ${leaseUntil}
    from taken f
    join deliveries d on d.workspace_id = f.workspace_id and d.id = f.id
    join events v on v.workspace_id = d.workspace_id and v.id = d.event_id
    where q.workspace_id = f.workspace_id and q.id = f.id
    returning q.workspace_id as "workspaceId", q.id, d.event_id as "eventId", q.attempt, q.host, d.url, d.method,
              d.headers, v.body::text as body`.execute(db);
  return rows.map((row) => ({ ...row, leaseUntil }));
}

export interface EndedAttempt {
  readonly delivery: DueDelivery;
  readonly state: 'due' | 'delivered' | 'dead';
  /** When the next attempt is due; otherwise when this one ended. */
  readonly dueAt: Date;
  readonly log: JsonObject;
}

/** Attempts kept of one delivery; a delivery sent again and again loses its oldest. */
const KEPT_ATTEMPTS = 20;

/**
 * Writes how attempts ended. Nothing happens to one whose lease ran out and which somebody else took. Later events
 * of the call to the same target move with one that waits: they could not go before it anyway.
 */
export async function finishDeliveries(db: Db, ended: readonly EndedAttempt[]): Promise<void> {
  if (ended.length === 0) return;
  const rows = ended.map(({ delivery, state, dueAt, log }) => ({
    workspace_id: delivery.workspaceId,
    id: delivery.id,
    lease: delivery.leaseUntil,
    attempt: delivery.attempt,
    state,
    due_at: dueAt,
    log: [log],
  }));
  await sql`/* hot:finish_deliveries */
    with e as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (workspace_id uuid, id uuid,
        lease timestamptz, attempt smallint, state text, due_at timestamptz, log jsonb)),
    over as (
      delete from delivery_queue q using e
      where q.workspace_id = e.workspace_id and q.id = e.id and q.attempt = e.attempt and q.leased_until = e.lease
        and e.state <> 'due'
      returning q.workspace_id, q.id),
    waiting as (
      update delivery_queue q set due_at = e.due_at, leased_until = '-infinity' from e
      where q.workspace_id = e.workspace_id and q.id = e.id and q.attempt = e.attempt and q.leased_until = e.lease
        and e.state = 'due'
      returning q.workspace_id, q.id, q.call_id, q.event_seq, q.target, q.due_at, q.is_resend),
    followers as (
      update delivery_queue f set due_at = w.due_at from waiting w
      where f.call_id = w.call_id and f.event_seq > w.event_seq and f.due_at < w.due_at
        and f.workspace_id is not distinct from w.workspace_id and f.target is not distinct from w.target
        and (not w.is_resend or f.is_resend))
    update deliveries d set state = e.state, attempt = e.attempt, due_at = e.due_at,
      attempts = case when jsonb_array_length(d.attempts) >= ${KEPT_ATTEMPTS}::int then d.attempts - 0
        else d.attempts end || e.log,
      finished_at = case when e.state = 'due' then null else e.due_at end
    from e join (select workspace_id, id from over union all select workspace_id, id from waiting) o
      on o.workspace_id = e.workspace_id and o.id = e.id
    where d.workspace_id = e.workspace_id and d.id = e.id`.execute(db);
}
