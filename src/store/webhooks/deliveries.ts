import { sql } from 'kysely';
import { withIndexPlans } from '../plans.ts';
import type { Db, Tx } from '../database.ts';
import type { JsonObject } from '../schema.ts';

/** A host as used by one workspace: the unit of the limits on parallel requests. */
export interface Receiver {
  readonly workspaceId: string;
  readonly host: string;
}

/** Unique key of a receiver. */
export const receiverKey = ({ workspaceId, host }: Receiver): string => `${workspaceId} ${host}`;

/** A leased delivery attempt; these fields identify it when it ends. */
export interface TakenAttempt {
  readonly workspaceId: string;
  readonly id: string;
  readonly attempt: number;
  /** End of the lease, epoch ms. Together with `attempt` it fences the attempt: each lease has its own end. */
  readonly leaseUntil: number;
}

export interface DueDelivery extends Receiver, TakenAttempt {
  /** Method and URL. */
  readonly target: string;
  /** Epoch ms. */
  readonly dueAt: number;
  readonly eventId: string;
  readonly url: string;
  readonly method: string;
  /** The receiver's configured headers as JSON text, identical for one receiver. */
  readonly headers: string;
  /** Every status from 200 to 299 is a success, not 200 alone. */
  readonly isAny2xx: boolean;
  /** The receiver is disabled, and neither a person nor a test asked for this delivery. */
  readonly isDisabled: boolean;
  /** The request body: the event as JSON text. */
  readonly body: string;
}

/** CTE for `with recursive`: all receivers in the queue, by a loose index scan (one lookup per receiver). */
export const RECEIVERS = sql`receivers as (
      (select host, workspace_id from delivery_queue order by host, workspace_id limit 1)
      union all
      select n.host, n.workspace_id from receivers r cross join lateral (
        select host, workspace_id from delivery_queue where (host, workspace_id) > (r.host, r.workspace_id)
        order by host, workspace_id limit 1) n)`;

/** How often an attempt is repeated because its worker crashed; after that, a crash counts as a delivery attempt. */
const INTERRUPTIONS = 5;

/** The attempt's lease expired without an outcome (worker crash), and it is repeated. */
const isInterrupted = sql`(q.leased_until > '-infinity' and q.attempt > 0 and q.interruptions < ${sql.lit(INTERRUPTIONS)})`;

/**
 * Leases due deliveries for one attempt each: at most `limit`, and per receiver what `quotas` or `newReceivers` allows.
 * If this process dies, the same attempt may be leased again at `leaseUntil`, at most `INTERRUPTIONS` times. The lease
 * commits asynchronously: a database crash may forget it, and the attempt is then sent again (at-least-once).
 *
 * An event waits while an earlier event of its call to the same target is pending. A delivery that was resent on
 * request holds back only other resent ones.
 *
 * How the statement controls its plan:
 * - The check for an earlier event uses `is not distinct from`, so that only the index on the call matches: while the
 *   table grows faster than its statistics, the planner rates every index alike.
 * - `case … end <= now` matches no index, so that a row is found by its ctid.
 * - `limit 1` in the lateral subqueries makes each an index lookup per row.
 * - Rows are found again by ctid; a row that moved since is left to the next poll.
 * - `offset 0` is an optimisation fence: a receiver's quota is computed once, not once per row.
 * - `json_send` returns the stored text; a cast would parse and serialise the event again.
 */
export async function takeDeliveries(
  db: Db,
  input: {
    readonly now: Date;
    readonly leaseUntil: Date;
    /** False: attempts whose lease expired are left to the process that may still store their outcome. */
    readonly takesOver?: boolean;
    readonly limit: number;
    /**
     * Receivers that `quotas` does not list get `quotaEach`, those of `stalled` workspaces nothing. Absent: only listed
     * receivers are read.
     */
    readonly newReceivers?: { readonly quotaEach: number; readonly stalled: readonly string[] };
    /**
     * Quotas of known receivers. Deliveries due before `since` (epoch ms; -Infinity: none) and those to a target in
     * `hanging` are skipped.
     */
    readonly quotas: readonly (Receiver & {
      readonly quota: number;
      readonly since: number;
      readonly hanging: readonly string[];
    })[];
  },
): Promise<DueDelivery[]> {
  const { now, leaseUntil, limit, newReceivers } = input;
  const leased = (input.takesOver ?? true) ? now.toISOString() : '-infinity';
  const quotas = newReceivers === undefined ? input.quotas.filter(({ quota }) => quota > 0) : input.quotas;
  if (newReceivers === undefined && quotas.length === 0) return [];
  const known = Object.fromEntries(
    quotas.map((r) => [receiverKey(r), [r.quota, sinceOf(r.since), ...someOf(r.hanging)]]),
  );
  const quota =
    newReceivers === undefined
      ? sql`k.quota`
      : sql`coalesce(k.quota, case when r.workspace_id = any (${newReceivers.stalled}::uuid[]) then 0
                             else ${newReceivers.quotaEach}::int end)`;
  const receivers =
    newReceivers === undefined
      ? sql`/* hot:take_known_deliveries */
    with receivers as materialized (
      select host, workspace_id from unnest(${quotas.map((r) => r.host)}::text[],
        ${quotas.map((r) => r.workspaceId)}::uuid[]) as u (host, workspace_id))`
      : sql`/* hot:take_deliveries */
    with recursive ${RECEIVERS}`;
  const take = sql<DueDelivery>`${receivers},
    picked as (
      select p.place, p.due_at from receivers r
      cross join lateral (
        select (f.found ->> 0)::int as quota, (f.found ->> 1)::timestamptz as since, f.found -> 2 as hanging
        from (select ${JSON.stringify(known)}::jsonb -> (r.workspace_id || ' ' || r.host) as found) f
        offset 0) k
      cross join lateral (
        select q.ctid as place, q.due_at from delivery_queue q
        where q.host = r.host and q.workspace_id = r.workspace_id and q.due_at <= ${now}
          and q.due_at >= coalesce(k.since, '-infinity') and q.leased_until <= ${leased}::timestamptz
          and (k.hanging is null or not k.hanging ? q.target)
          and (
            select e.id from delivery_queue e
            where e.call_id = q.call_id and e.event_seq < q.event_seq
              and e.workspace_id is not distinct from q.workspace_id and e.target is not distinct from q.target
              and (not e.is_resend or q.is_resend)
            order by e.event_seq limit 1) is null
        order by q.due_at limit ${quota}) p
      where ${quota} > 0),
    locked as (
      select q.ctid as place from delivery_queue q
      where q.ctid = any (array(select place from picked order by due_at limit ${limit}))
        and case when q.leased_until <= ${leased}::timestamptz then q.due_at end <= ${now}
      for update skip locked),
    taken as (
      update delivery_queue q set leased_until = ${leaseUntil},
        attempt = q.attempt + (not ${isInterrupted})::int, interruptions = q.interruptions + (${isInterrupted})::int
      where q.ctid = any (array(select place from locked))
      returning q.workspace_id, q.id, q.call_id, q.attempt, q.host, q.target, q.due_at, q.is_resend)
    select t.workspace_id as "workspaceId", t.id, extract(epoch from t.due_at)::float8 * 1000 as "dueAt",
           d.event_id as "eventId", t.attempt, t.host, t.target, d.url, d.method, d.headers::text as headers, d.any_2xx as "isAny2xx",
           not t.is_resend and not d.is_test and exists (
             select from webhook_outages o where o.workspace_id = t.workspace_id and o.target_key = md5(t.target)
               and o.disabled_at is not null) as "isDisabled",
           convert_from(json_send(v.body), 'UTF8') as body, ${leaseUntil.getTime()}::float8 as "leaseUntil"
    from taken t
    cross join lateral (
      select event_id, url, method, headers, any_2xx, is_test from deliveries
      where workspace_id = t.workspace_id and id = t.id limit 1) d
    cross join lateral (
      select body from events where workspace_id = t.workspace_id and id = d.event_id and call_id = t.call_id limit 1) v`;
  return withIndexPlans(db, 'later', async (tx) => (await take.execute(tx)).rows);
}

/** One ms earlier, because the database stores microseconds and `ms` is rounded. */
const sinceOf = (ms: number): string => (Number.isFinite(ms) ? new Date(ms - 1).toISOString() : '-infinity');

const someOf = <T>(list: readonly T[]): (readonly T[])[] => (list.length === 0 ? [] : [list]);

export interface EndedAttempt {
  readonly taken: TakenAttempt;
  readonly state: 'due' | 'delivered' | 'dead';
  /** In state `due`, when the next attempt is due; else when this one ended. Epoch ms. */
  readonly dueAt: number;
  readonly log: JsonObject;
}

/** Log entries kept per delivery; the oldest are dropped. */
const KEPT_ATTEMPTS = 20;
/**
 * The last delivery to an erased call's own receiver: its URL is deleted. A trigger handles deliveries that ended
 * before.
 */
const isForgotten = sql`d.forget_address and f.state <> 'due'`;
/** How often rows are looked up again that another transaction has moved. */
const TRIES = 3;

/**
 * Writes the outcomes of attempts. No effect on an attempt whose lease expired and was taken over (fencing). When an
 * attempt will be retried, later events of its call to the same target move to its due time: they could not be sent
 * before it anyway.
 */
export async function finishDeliveries(db: Db, ended: readonly EndedAttempt[]): Promise<void> {
  if (ended.length === 0) return;
  let left = ended.length;
  for (let tries = 1; left > 0; tries += 1) {
    try {
      const finished = await withIndexPlans(db, 'now', (tx) => finishOnce(tx, ended));
      left -= finished;
      // A missing row has moved or was leased by another process. If none was found, all of them are lost leases.
      if (finished === 0 || tries === TRIES) break;
    } catch (error) {
      if (!(error instanceof MovedError) || tries === TRIES) throw error;
    }
  }
  const again = ended.filter(({ state }) => state === 'due').map(({ taken }) => taken);
  if (again.length === 0) return;
  const workspaces = [...new Set(again.map(({ workspaceId }) => workspaceId))];
  const ids = again.map(({ id }) => id);
  await withIndexPlans(db, 'now', (tx) => delayFollowers(tx, workspaces, ids));
}

/** Rolls back: queue rows were finished whose delivery log row had moved, so its update was lost. */
class MovedError extends Error {}

/**
 * Finishes the attempts whose lease is still valid; returns how many. Those given up go to the recovery. Each row is looked up by key and then updated by
 * ctid, which leaves the planner no other plan.
 *
 * Times are passed as ms relative to one timestamp: parsing a date per row costs more than writing the row.
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
    given_up as (
      insert into given_up_deliveries as g (workspace_id, id, at)
      select workspace_id, id, due_at from over where state = 'dead'
      on conflict (workspace_id, id) do update set state = 'new', at = excluded.at),
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
  if (unlogged > 0) throw new MovedError('another transaction changed the deliveries');
  return finished;
}

/**
 * Moves later events of the call to the same target to the due time of the ones that wait. A row that another
 * transaction moves is missed; a poll then finds it blocked, which costs one lookup.
 */
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

/** A PostgreSQL array literal of ids, numbers and keywords, which need no quotes. */
const arrayOf = (ended: readonly EndedAttempt[], value: (each: EndedAttempt) => string | number): string =>
  `{${ended.map(value).join(',')}}`;
