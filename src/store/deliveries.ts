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
 * attempt counts from here on; should this process die, the delivery is due again at `leaseUntil`. An event waits
 * while an earlier one of its call to the same target is still due; one that is sent again on request holds up only
 * its like.
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
  const { rows } = await sql<Omit<DueDelivery, 'leaseUntil'>>`
    with recursive receivers as (
      (select workspace_id, host from deliveries where state = 'due' order by workspace_id, host limit 1)
      union all
      select n.workspace_id, n.host from receivers r cross join lateral (
        select workspace_id, host from deliveries
        where state = 'due' and (workspace_id, host) > (r.workspace_id, r.host)
        order by workspace_id, host limit 1) n),
    picked as (
      select p.workspace_id, p.id, p.due_at from receivers r
      left join unnest(${rooms.map((r) => r.workspaceId)}::uuid[], ${rooms.map((r) => r.host)}::text[],
                       ${rooms.map((r) => r.room)}::int[]) as k (workspace_id, host, room)
        on k.workspace_id = r.workspace_id and k.host = r.host
      cross join lateral (
        select d.workspace_id, d.id, d.due_at from deliveries d
        where d.state = 'due' and d.workspace_id = r.workspace_id and d.host = r.host and d.due_at <= ${now}
          and not exists (
            select from deliveries e
            where e.workspace_id = d.workspace_id and e.call_id = d.call_id and e.event_seq < d.event_seq
              and e.target = d.target and e.state = 'due' and (e.resends = 0 or d.resends > 0))
        order by d.due_at limit coalesce(k.room, ${newRoom}) for update of d skip locked) p
      where coalesce(k.room, ${newRoom}) > 0),
    fair as (select workspace_id, id from picked order by due_at limit ${limit})
    update deliveries d set attempt = d.attempt + 1, due_at = ${leaseUntil}
    from fair f join events v on v.workspace_id = f.workspace_id
    where d.workspace_id = f.workspace_id and d.id = f.id and v.id = d.event_id
    returning d.workspace_id as "workspaceId", d.id, d.event_id as "eventId", d.attempt, d.host, d.url, d.method,
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
  const finished = sql`
    update deliveries d set state = e.state, due_at = e.due_at,
      attempts = case when jsonb_array_length(d.attempts) >= ${KEPT_ATTEMPTS}::int then d.attempts - 0 else d.attempts end
        || e.log,
      finished_at = case when e.state = 'due' then null else e.due_at end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as e (workspace_id uuid, id uuid, lease timestamptz, attempt smallint, state text, due_at timestamptz, log jsonb)
    where d.workspace_id = e.workspace_id and d.id = e.id and d.attempt = e.attempt and d.due_at = e.lease
      and d.state = 'due'`;
  if (ended.every(({ state }) => state !== 'due')) {
    await finished.execute(db);
    return;
  }
  await sql`
    with waiting as (
      ${finished}
      returning d.workspace_id, d.call_id, d.target, d.event_seq, d.state, d.due_at, d.resends)
    update deliveries f set due_at = w.due_at from waiting w
    where w.state = 'due' and f.workspace_id = w.workspace_id and f.call_id = w.call_id and f.target = w.target
      and f.event_seq > w.event_seq and f.state = 'due' and f.due_at < w.due_at
      and (w.resends = 0 or f.resends > 0)`.execute(db);
}
