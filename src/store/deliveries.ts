import { sql } from 'kysely';
import { onQueue } from './by-index.ts';
import type { Db, Tx } from './database.ts';
import type { JsonObject } from './schema.ts';

/** A host as one workspace uses it: what limits of parallel requests count by. */
export interface Receiver {
  readonly workspaceId: string;
  readonly host: string;
}

/** An attempt that was taken: what is asked for again when it has ended. */
export interface TakenAttempt {
  readonly workspaceId: string;
  readonly id: string;
  readonly attempt: number;
  /** Names this attempt when it ends, in epoch ms: nobody else has a lease until then. */
  readonly leaseUntil: number;
}

export interface DueDelivery extends Receiver, TakenAttempt {
  /** Epoch ms. */
  readonly dueAt: number;
  readonly eventId: string;
  readonly url: string;
  readonly method: string;
  /** The receiver's own headers, as JSON: those of one receiver are the same text. */
  readonly headers: string;
  /** The event as it is sent. */
  readonly body: string;
}

/**
 * Takes due deliveries for one attempt each: at most `limit`, and per receiver what `rooms` says, or `newRoom`. The
 * attempt counts from here on; should this process die, the delivery may be taken again at `leaseUntil`. An event
 * waits while an earlier one of its call to the same target is not over; one that is sent again on request holds up
 * only its like.
 *
 * The look for an earlier event is worded so that no index but the call's answers to it: while the table grows faster
 * than its statistics, the planner takes any other for as good. `limit 1` has each row looked up by itself. Rows are
 * found again by their place: one that moved meanwhile is left for the next look.
 */
export async function takeDeliveries(
  db: Db,
  input: {
    readonly now: Date;
    readonly leaseUntil: Date;
    readonly limit: number;
    readonly newRoom: number;
    /** What was due before `since` (epoch ms) is not looked at; -Infinity: everything is. */
    readonly rooms: readonly (Receiver & { readonly room: number; readonly since: number })[];
  },
): Promise<DueDelivery[]> {
  const { now, leaseUntil, limit, newRoom, rooms } = input;
  const take = sql<DueDelivery>`/* hot:take_deliveries */
    with recursive receivers as (
      (select host, workspace_id from delivery_queue order by host, workspace_id limit 1)
      union all
      select n.host, n.workspace_id from receivers r cross join lateral (
        select host, workspace_id from delivery_queue where (host, workspace_id) > (r.host, r.workspace_id)
        order by host, workspace_id limit 1) n),
    picked as (
      select p.place, p.due_at from receivers r
      left join unnest(${rooms.map((r) => r.workspaceId)}::uuid[], ${rooms.map((r) => r.host)}::text[],
                       ${rooms.map((r) => r.room)}::int[], ${rooms.map((r) => sinceOf(r.since))}::timestamptz[])
          as k (workspace_id, host, room, since)
        on k.workspace_id = r.workspace_id and k.host = r.host
      cross join lateral (
        select q.ctid as place, q.due_at from delivery_queue q
        where q.host = r.host and q.workspace_id = r.workspace_id and q.due_at <= ${now}
          and q.due_at >= coalesce(k.since, '-infinity') and q.leased_until <= ${now}
          and (
            select e.id from delivery_queue e
            where e.call_id = q.call_id and e.event_seq < q.event_seq
              and e.workspace_id is not distinct from q.workspace_id and e.target is not distinct from q.target
              and (not e.is_resend or q.is_resend)
            order by e.event_seq limit 1) is null
        order by q.due_at limit coalesce(k.room, ${newRoom})) p
      where coalesce(k.room, ${newRoom}) > 0),
    locked as (
      select q.ctid as place from delivery_queue q
      where q.ctid = any (array(select place from picked order by due_at limit ${limit}))
        and greatest(q.due_at, q.leased_until) <= ${now}
      for update skip locked),
    taken as (
      update delivery_queue q set attempt = q.attempt + 1, leased_until = ${leaseUntil}
      where q.ctid = any (array(select place from locked))
      returning q.workspace_id, q.id, q.attempt, q.host, q.due_at)
    select t.workspace_id as "workspaceId", t.id, extract(epoch from t.due_at)::float8 * 1000 as "dueAt",
           d.event_id as "eventId", t.attempt, t.host, d.url, d.method, d.headers::text as headers,
           v.body::text as body, ${leaseUntil.getTime()}::float8 as "leaseUntil"
    from taken t
    cross join lateral (
      select event_id, url, method, headers from deliveries
      where workspace_id = t.workspace_id and id = t.id limit 1) d
    cross join lateral (
      select body from events where workspace_id = t.workspace_id and id = d.event_id limit 1) v`;
  return onQueue(db, 'one by one', async (tx) => (await take.execute(tx)).rows);
}

/** The database counts in microseconds: a little earlier than what was rounded to a millisecond is early enough. */
const sinceOf = (ms: number): string => (Number.isFinite(ms) ? new Date(ms - 1).toISOString() : '-infinity');

export interface EndedAttempt {
  readonly taken: TakenAttempt;
  readonly state: 'due' | 'delivered' | 'dead';
  /** When the next attempt is due; otherwise when this one ended. Epoch ms. */
  readonly dueAt: number;
  readonly log: JsonObject;
}

/** Attempts kept of one delivery; a delivery sent again and again loses its oldest. */
const KEPT_ATTEMPTS = 20;

/**
 * Writes how attempts ended. Nothing happens to one whose lease ran out and which somebody else took. Later events
 * of the call to the same target move with one that waits: they could not go before it anyway.
 *
 * Times travel as ms from one instant: reading a date for every row costs more than writing the row.
 */
export async function finishDeliveries(db: Db, ended: readonly EndedAttempt[]): Promise<void> {
  const [first] = ended;
  if (first === undefined) return;
  const since = first.taken.leaseUntil;
  // Named by themselves as well, so that a table is read by its key whatever it is joined with.
  const workspaces = [...new Set(ended.map(({ taken }) => taken.workspaceId))];
  const ids = arrayOf(ended, ({ taken }) => taken.id);
  const logs = `[${ended.map(({ log }) => `[${JSON.stringify(log)}]`).join(',')}]`;
  const finish = sql`/* hot:finish_deliveries */
    with e as materialized (
      select r.workspace_id, r.id, r.attempt, r.state, r.log,
             z.at + r.lease * interval '1 ms' as lease, z.at + r.due * interval '1 ms' as due_at
      from (select ${new Date(since)}::timestamptz as at) z,
        rows from (
          unnest(${arrayOf(ended, ({ taken }) => taken.workspaceId)}::uuid[], ${ids}::uuid[],
                 ${arrayOf(ended, ({ taken }) => taken.attempt)}::smallint[],
                 ${arrayOf(ended, ({ state }) => state)}::text[],
                 ${arrayOf(ended, ({ taken }) => taken.leaseUntil - since)}::float8[],
                 ${arrayOf(ended, ({ dueAt }) => dueAt - since)}::float8[]),
          jsonb_array_elements(${logs}::jsonb)) as r (workspace_id, id, attempt, state, lease, due, log)),
    over as (
      delete from delivery_queue q using e
      where q.workspace_id = any (${workspaces}::uuid[]) and q.id = any (${ids}::uuid[])
        and q.workspace_id = e.workspace_id and q.id = e.id and q.attempt = e.attempt and q.leased_until = e.lease
        and e.state <> 'due'
      returning e.*),
    waiting as (
      update delivery_queue q set due_at = e.due_at, leased_until = '-infinity' from e
      where q.workspace_id = any (${workspaces}::uuid[]) and q.id = any (${ids}::uuid[])
        and q.workspace_id = e.workspace_id and q.id = e.id and q.attempt = e.attempt and q.leased_until = e.lease
        and e.state = 'due'
      returning e.*)
    update deliveries d set state = o.state, attempt = o.attempt, due_at = o.due_at,
      attempts = case when jsonb_array_length(d.attempts) >= ${KEPT_ATTEMPTS}::int then d.attempts - 0
                      else d.attempts end
        || case when d.without_answers then o.log #- '{0,body}' else o.log end,
      finished_at = case when o.state = 'due' then null else o.due_at end
    from (select workspace_id, id, attempt, state, due_at, log from over
          union all select workspace_id, id, attempt, state, due_at, log from waiting) o
    where d.workspace_id = any (${workspaces}::uuid[]) and d.id = any (${ids}::uuid[])
      and d.workspace_id = o.workspace_id and d.id = o.id`;
  const again = ended.filter(({ state }) => state === 'due').map(({ taken }) => taken.id);
  await onQueue(db, 'together', (tx) => finish.execute(tx));
  if (again.length > 0) await onQueue(db, 'one by one', (tx) => delayFollowers(tx, workspaces, again));
}

/** Later events of a call to the same target wait with these, which wait; one that moves meanwhile only looks in vain. */
async function delayFollowers(tx: Tx, workspaces: readonly string[], ids: readonly string[]): Promise<void> {
  await sql`/* hot:delay_followers */
    update delivery_queue f set due_at = n.due_at from (
      select w.due_at, n.place from delivery_queue w cross join lateral (
        select n.ctid as place from delivery_queue n
        where n.call_id = w.call_id and n.event_seq > w.event_seq and n.due_at < w.due_at
          and n.workspace_id is not distinct from w.workspace_id and n.target is not distinct from w.target
          and (not w.is_resend or n.is_resend)
        for update) n
      where w.workspace_id = any (${workspaces}::uuid[]) and w.id = any (${ids}::uuid[])
        and w.leased_until = '-infinity') n
    where f.ctid = n.place`.execute(tx);
}

/** An array as PostgreSQL writes it, of ids, numbers and words: nothing that would need quotes. */
const arrayOf = (ended: readonly EndedAttempt[], value: (each: EndedAttempt) => string | number): string =>
  `{${ended.map(value).join(',')}}`;
