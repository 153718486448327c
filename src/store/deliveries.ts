import { sql } from 'kysely';
import type { Db } from './database.ts';
import type { JsonObject } from './schema.ts';

export interface DueDelivery {
  readonly workspaceId: string;
  readonly id: string;
  readonly eventId: string;
  readonly attempt: number;
  readonly host: string;
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: JsonObject;
}

/**
 * Takes due deliveries for one attempt each: at most `limit`, and per host what `perHost` leaves beside those in
 * `busy`. The attempt counts from here on; should this process die, the delivery is due again at `leaseUntil`.
 * An event waits while an earlier one of its call to the same target is still due.
 */
export async function takeDeliveries(
  db: Db,
  input: {
    readonly now: Date;
    readonly leaseUntil: Date;
    readonly limit: number;
    readonly perHost: number;
    readonly busy: ReadonlyMap<string, number>;
  },
): Promise<DueDelivery[]> {
  const hosts = [...input.busy.keys()];
  const counts = [...input.busy.values()];
  const full = hosts.filter((host) => (input.busy.get(host) ?? 0) >= input.perHost);
  const { rows } = await sql<DueDelivery>`
    with ready as (
      select d.workspace_id, d.id, d.host, d.due_at from deliveries d
      where d.state = 'due' and d.due_at <= ${input.now} and d.host <> all(${full}::text[])
        and not exists (
          select from deliveries e
          where e.workspace_id = d.workspace_id and e.call_id = d.call_id and e.target = d.target
            and e.state = 'due' and e.event_seq < d.event_seq)
      order by d.due_at limit 1000),
    ranked as (
      select r.*, row_number() over (partition by r.host order by r.due_at) as place from ready r),
    fair as (
      select r.workspace_id, r.id from ranked r
      left join unnest(${hosts}::text[], ${counts}::int[]) as b (host, busy) on b.host = r.host
      where r.place <= ${input.perHost} - coalesce(b.busy, 0)
      order by r.due_at limit ${input.limit}),
    taken as (
      select d.workspace_id, d.id from deliveries d join fair f on f.workspace_id = d.workspace_id and f.id = d.id
      where d.state = 'due' and d.due_at <= ${input.now}
      for update of d skip locked)
    update deliveries d set attempt = d.attempt + 1, due_at = ${input.leaseUntil}
    from taken t join events v on v.workspace_id = t.workspace_id
    where d.workspace_id = t.workspace_id and d.id = t.id and v.id = d.event_id
    returning d.workspace_id as "workspaceId", d.id, d.event_id as "eventId", d.attempt, d.host, d.url, d.method,
              d.headers, v.body`.execute(db);
  return rows;
}

/** Writes an attempt's end. Nothing happens when the lease ran out and another attempt has begun. */
export async function finishDelivery(
  db: Db,
  delivery: { readonly workspaceId: string; readonly id: string; readonly attempt: number },
  end: {
    readonly state: 'due' | 'delivered' | 'dead';
    readonly dueAt: Date;
    readonly at: Date;
    readonly log: JsonObject;
  },
): Promise<void> {
  await sql`
    update deliveries set state = ${end.state}, due_at = ${end.dueAt},
      attempts = attempts || ${JSON.stringify([end.log])}::jsonb,
      finished_at = ${end.state === 'due' ? null : end.at}::timestamptz
    where workspace_id = ${delivery.workspaceId} and id = ${delivery.id}
      and attempt = ${delivery.attempt} and state = 'due'`.execute(db);
}

/** Ends deliveries whose last attempt was cut off by the death of its process. */
export async function buryDeliveries(db: Db, now: Date, maxAttempts: number): Promise<void> {
  const log = { attempt: maxAttempts, at: now.toISOString(), status: null, error: 'interrupted' };
  await sql`
    update deliveries set state = 'dead', finished_at = ${now},
      attempts = attempts || ${JSON.stringify([log])}::jsonb
    where state = 'due' and due_at <= ${now} and attempt >= ${maxAttempts}`.execute(db);
}
