import { sql } from 'kysely';
import { onQueue } from './by-index.ts';
import type { Db, Tx } from './database.ts';
import type { JsonObject } from './schema.ts';

/** A host as one workspace uses it: what limits of parallel requests count by. */
export interface Receiver {
  readonly workspaceId: string;
  readonly host: string;
}

/** Names it among others. */
export const receiverKey = ({ workspaceId, host }: Receiver): string => `${workspaceId} ${host}`;

/** An attempt that was taken: what is asked for again when it has ended. */
export interface TakenAttempt {
  readonly workspaceId: string;
  readonly id: string;
  readonly attempt: number;
  /** Names this attempt when it ends, in epoch ms: nobody else has a lease until then. */
  readonly leaseUntil: number;
}

export interface DueDelivery extends Receiver, TakenAttempt {
  /** Method and address: where at the host it goes. */
  readonly target: string;
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

/** Everyone the queue has something for, one after the other from the index; for a `with recursive`. */
export const RECEIVERS = sql`receivers as (
      (select host, workspace_id from delivery_queue order by host, workspace_id limit 1)
      union all
      select n.host, n.workspace_id from receivers r cross join lateral (
        select host, workspace_id from delivery_queue where (host, workspace_id) > (r.host, r.workspace_id)
        order by host, workspace_id limit 1) n)`;

/** So often an attempt of one delivery is made again because its sender died; afterwards a death uses the attempt up. */
const INTERRUPTIONS = 5;

/** The sender of this attempt died, and it is made again. */
const isInterrupted = sql`(q.leased_until > '-infinity' and q.attempt > 0 and q.interruptions < ${sql.lit(INTERRUPTIONS)})`;

/**
 * Takes due deliveries for one attempt each: at most `limit`, and per receiver what `rooms` or `others` says. Should this
 * process die, the delivery may be taken again at `leaseUntil`, for the same attempt, unless that is more than
 * `INTERRUPTIONS` times. A database that dies before its next commit to disk forgets the taking: then the attempt is
 * made once more.
 *
 * An event waits while an earlier one of its call to the same target is not over; one that is sent again on request
 * holds up only its like.
 *
 * The look for an earlier event is worded so that no index but the call's answers to it: while the table grows faster
 * than its statistics, the planner takes any other for as good. `limit 1` has each row looked up by itself. Rows are
 * found again by their place: one that moved meanwhile is left for the next look. `offset 0` has what is known of a
 * receiver looked up once, not for each of its rows. A cast would write the event's text out and read it in again.
 */
export async function takeDeliveries(
  db: Db,
  input: {
    readonly now: Date;
    readonly leaseUntil: Date;
    readonly limit: number;
    /**
     * Of receivers that `rooms` does not name each gets `newRoom`, those of `stalled` workspaces nothing. Absent: none
     * but the named are looked at.
     */
    readonly others?: { readonly newRoom: number; readonly stalled: readonly string[] };
    /**
     * What was due before `since` (epoch ms) is not looked at; -Infinity: everything is. Nor is what goes to one of the
     * targets `hanging`.
     */
    readonly rooms: readonly (Receiver & {
      readonly room: number;
      readonly since: number;
      readonly hanging: readonly string[];
    })[];
  },
): Promise<DueDelivery[]> {
  const { now, leaseUntil, limit, others } = input;
  const rooms = others === undefined ? input.rooms.filter(({ room }) => room > 0) : input.rooms;
  if (others === undefined && rooms.length === 0) return [];
  const known = Object.fromEntries(
    rooms.map((r) => [receiverKey(r), [r.room, sinceOf(r.since), ...someOf(r.hanging)]]),
  );
  const room =
    others === undefined
      ? sql`k.room`
      : sql`coalesce(k.room, case when r.workspace_id = any (${others.stalled}::uuid[]) then 0
                             else ${others.newRoom}::int end)`;
  const receivers =
    others === undefined
      ? sql`/* hot:take_known_deliveries */
    with receivers as materialized (
      select host, workspace_id from unnest(${rooms.map((r) => r.host)}::text[],
        ${rooms.map((r) => r.workspaceId)}::uuid[]) as u (host, workspace_id))`
      : sql`/* hot:take_deliveries */
    with recursive ${RECEIVERS}`;
  const take = sql<DueDelivery>`${receivers},
    picked as (
      select p.place, p.due_at from receivers r
      cross join lateral (
        select (f.found ->> 0)::int as room, (f.found ->> 1)::timestamptz as since, f.found -> 2 as hanging
        from (select ${JSON.stringify(known)}::jsonb -> (r.workspace_id || ' ' || r.host) as found) f
        offset 0) k
      cross join lateral (
        select q.ctid as place, q.due_at from delivery_queue q
        where q.host = r.host and q.workspace_id = r.workspace_id and q.due_at <= ${now}
          and q.due_at >= coalesce(k.since, '-infinity') and q.leased_until <= ${now}
          and (k.hanging is null or not k.hanging ? q.target)
          and (
            select e.id from delivery_queue e
            where e.call_id = q.call_id and e.event_seq < q.event_seq
              and e.workspace_id is not distinct from q.workspace_id and e.target is not distinct from q.target
              and (not e.is_resend or q.is_resend)
            order by e.event_seq limit 1) is null
        order by q.due_at limit ${room}) p
      where ${room} > 0),
    locked as (
      select q.ctid as place from delivery_queue q
      where q.ctid = any (array(select place from picked order by due_at limit ${limit}))
        and greatest(q.due_at, q.leased_until) <= ${now}
      for update skip locked),
    taken as (
      update delivery_queue q set leased_until = ${leaseUntil},
        attempt = q.attempt + (not ${isInterrupted})::int, interruptions = q.interruptions + (${isInterrupted})::int
      where q.ctid = any (array(select place from locked))
      returning q.workspace_id, q.id, q.attempt, q.host, q.target, q.due_at)
    select t.workspace_id as "workspaceId", t.id, extract(epoch from t.due_at)::float8 * 1000 as "dueAt",
           d.event_id as "eventId", t.attempt, t.host, t.target, d.url, d.method, d.headers::text as headers,
           convert_from(json_send(v.body), 'UTF8') as body, ${leaseUntil.getTime()}::float8 as "leaseUntil"
    from taken t
    cross join lateral (
      select event_id, url, method, headers from deliveries
      where workspace_id = t.workspace_id and id = t.id limit 1) d
    cross join lateral (
      select body from events where workspace_id = t.workspace_id and id = d.event_id limit 1) v`;
  return onQueue(db, 'later', async (tx) => (await take.execute(tx)).rows);
}

/** The database counts in microseconds: a little earlier than what was rounded to a millisecond is early enough. */
const sinceOf = (ms: number): string => (Number.isFinite(ms) ? new Date(ms - 1).toISOString() : '-infinity');

const someOf = <T>(list: readonly T[]): (readonly T[])[] => (list.length === 0 ? [] : [list]);

export interface EndedAttempt {
  readonly taken: TakenAttempt;
  readonly state: 'due' | 'delivered' | 'dead';
  /** When the next attempt is due; otherwise when this one ended. Epoch ms. */
  readonly dueAt: number;
  readonly log: JsonObject;
}

/** Attempts kept of one delivery; a delivery sent again and again loses its oldest. */
const KEPT_ATTEMPTS = 20;
/** An erased call's own receiver was told for the last time. What ended before is the trigger's, `forget_address`. */
const isForgotten = sql`d.forget_address and f.state <> 'due'`;
/** How often rows are looked for that somebody else was writing to. */
const TRIES = 3;

/**
 * Writes how attempts ended. Nothing happens to one whose lease ran out and which somebody else took. Later events
 * of the call to the same target move with one that waits: they could not go before it anyway.
 */
export async function finishDeliveries(db: Db, ended: readonly EndedAttempt[]): Promise<void> {
  if (ended.length === 0) return;
  let left = ended.length;
  for (let tries = 1; left > 0; tries += 1) {
    try {
      const finished = await onQueue(db, 'now', (tx) => finishOnce(tx, ended));
      left -= finished;
      // What is missing moved meanwhile, or is not ours any more: then there is nothing to be found again.
      if (finished === 0 || tries === TRIES) break;
    } catch (error) {
      if (!(error instanceof MovedError) || tries === TRIES) throw error;
    }
  }
  const again = ended.filter(({ state }) => state === 'due').map(({ taken }) => taken);
  if (again.length === 0) return;
  const workspaces = [...new Set(again.map(({ workspaceId }) => workspaceId))];
  const ids = again.map(({ id }) => id);
  await onQueue(db, 'now', (tx) => delayFollowers(tx, workspaces, ids));
}

/** Some rows left the queue whose log could not be written: both or neither. */
class MovedError extends Error {}

/**
 * Returns how many were found and finished. Each row is looked up by its key and then taken by its place, so that the
 * planner has no other way to it.
 *
 * Times travel as ms from one instant: reading a date for every row costs more than writing the row.
 */
async function finishOnce(tx: Tx, ended: readonly EndedAttempt[]): Promise<number> {
  const since = ended[0]?.taken.leaseUntil ?? 0;
  const logs = `[${ended.map(({ log }) => `[${JSON.stringify(log)}]`).join(',')}]`;
  const { rows } = await sql<{ finished: number; unlogged: number }>`/* hot:finish_deliveries */
    with e as materialized (
      select r.workspace_id, r.id, r.attempt, r.state, r.log,
             z.at + r.lease * interval '1 ms' as lease, z.at + r.due * interval '1 ms' as due_at
      from (select ${new Date(since)}::timestamptz as at) z,
        rows from (
          unnest(${arrayOf(ended, ({ taken }) => taken.workspaceId)}::uuid[],
                 ${arrayOf(ended, ({ taken }) => taken.id)}::uuid[],
                 ${arrayOf(ended, ({ taken }) => taken.attempt)}::smallint[],
                 ${arrayOf(ended, ({ state }) => state)}::text[],
                 ${arrayOf(ended, ({ taken }) => taken.leaseUntil - since)}::float8[],
                 ${arrayOf(ended, ({ dueAt }) => dueAt - since)}::float8[]),
          jsonb_array_elements(${logs}::jsonb)) as r (workspace_id, id, attempt, state, lease, due, log)),
    found as materialized (
      select e.*, q.place, d.log_place from e
      cross join lateral (
        select ctid as place from delivery_queue
        where workspace_id = e.workspace_id and id = e.id and attempt = e.attempt and leased_until = e.lease
        limit 1) q
      left join lateral (
        select ctid as log_place from deliveries where workspace_id = e.workspace_id and id = e.id limit 1) d on true),
    over as (
      delete from delivery_queue q using found f
      where q.ctid = f.place and q.attempt = f.attempt and q.leased_until = f.lease and f.state <> 'due'
      returning f.*),
    waiting as (
      update delivery_queue q set due_at = f.due_at, leased_until = '-infinity' from found f
      where q.ctid = f.place and q.attempt = f.attempt and q.leased_until = f.lease and f.state = 'due'
      returning f.*),
    finished as (select * from over union all select * from waiting),
    logged as (
      update deliveries d set state = f.state, attempt = f.attempt, due_at = f.due_at,
        attempts = case when jsonb_array_length(d.attempts) >= ${KEPT_ATTEMPTS}::int then d.attempts - 0
                        else d.attempts end
          || case when d.without_answers then f.log #- '{0,body}' else f.log end,
        finished_at = case when f.state = 'due' then null else f.due_at end,
        url = case when ${isForgotten} then without_path(d.url) else d.url end,
        target = case when ${isForgotten} then d.method || ' ' || without_path(d.url) else d.target end,
        headers = case when ${isForgotten} then '{}' else d.headers end
      from finished f where d.ctid = f.log_place
      returning d.id)
    select (select count(*)::int from finished) as finished,
           (select count(log_place)::int from finished) - (select count(*)::int from logged) as unlogged`.execute(
    tx,
  );
  const [{ finished, unlogged } = { finished: 0, unlogged: 0 }] = rows;
  if (unlogged > 0) throw new MovedError('deliveries were written to by somebody else meanwhile');
  return finished;
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
