import { sql } from 'kysely';
import { newId } from '../../shared/ids.ts';
import type { Wire } from '../../shared/wire-names.ts';
import type { Db, Tx } from '../database.ts';
import { subscriptionDocument, type EventSubscription } from '../json/agent-version.ts';

/** A receiver that accepts nothing. Times in epoch ms. */
export interface Outage {
  readonly workspaceId: string;
  readonly id: string;
  readonly url: string;
  readonly method: string;
  readonly target: string;
  readonly recovers: boolean;
  readonly since: number;
  readonly lastFailedAt: number;
  readonly checkedAt: number;
  readonly probes: number;
  readonly probeAt: number | null;
  readonly headId: string | null;
  readonly refusals: number;
  readonly isBack: boolean;
  /** Since when it has failed without a break. */
  readonly failingFrom: number;
  /** Null: it gets events. */
  readonly disabledAt: number | null;
  readonly dropped: number;
  /** Deliveries kept for it. */
  readonly kept: number;
}

const ms = (column: string) => sql.raw(`extract(epoch from ${column})::float8 * 1000`);
const COLUMNS = sql`o.workspace_id as "workspaceId", o.id, o.url, o.method, o.target, o.recovers, ${ms('o.since')} as since,
  ${ms('o.last_failed_at')} as "lastFailedAt", ${ms('o.checked_at')} as "checkedAt", o.probes, ${ms('o.probe_at')} as "probeAt",
  o.head_id as "headId", o.refusals, o.is_back as "isBack",
  ${ms('o.failing_from')} as "failingFrom", ${ms('o.disabled_at')} as "disabledAt", o.dropped,
  (select count(*)::int from given_up_deliveries g where g.outage_id = o.id and g.state = 'kept') as kept`;

/** A delivery that was given up and that no outage has taken in yet. */
export interface GivenUp {
  readonly workspaceId: string;
  readonly id: string;
  /** Epoch ms. */
  readonly at: number;
  readonly target: string;
  readonly url: string;
  readonly method: string;
  readonly eventType: string;
  readonly eventSeq: number;
  /** It is given up still, belongs to no test, and its address was not erased. */
  readonly isReal: boolean;
  readonly recovers: boolean;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
}

/** Locks the oldest deliveries that were given up since the last time. */
export async function takeGivenUp(tx: Tx, limit: number): Promise<GivenUp[]> {
  const { rows } = await sql<GivenUp>`
    select g.workspace_id as "workspaceId", g.id, ${ms('g.at')} as at, coalesce(d.target, '') as target,
      coalesce(d.url, '') as url, coalesce(d.method, '') as method, coalesce(d.event_type, '') as "eventType",
      coalesce(d.event_seq, 0) as "eventSeq",
      coalesce(d.state = 'dead' and not d.is_test and not d.forget_address, false) as "isReal",
      coalesce(d.recovers, false) as recovers,
      (d.attempts -> -1 ->> 'status')::int as "lastStatus", d.attempts -> -1 ->> 'error' as "lastError"
    from given_up_deliveries g left join deliveries d on d.workspace_id = g.workspace_id and d.id = g.id
    where g.state = 'new' order by g.at, g.id limit ${limit} for update of g skip locked`.execute(tx);
  return rows;
}

/** The outage of a receiver, which begins if there is none; locked. */
export async function openOutage(
  tx: Tx,
  { workspaceId, target, url, method, recovers, at }: GivenUp,
  probeAt: number | null,
): Promise<{ readonly outage: Outage; readonly isNew: boolean }> {
  const failedAt = new Date(at);
  const { rows } = await sql<{ id: string; isNew: boolean }>`
    insert into webhook_outages as o (workspace_id, id, target, target_key, url, method, recovers, since, last_failed_at,
      failing_from, checked_at, probe_at)
    values (${workspaceId}, ${newId()}, ${target}, md5(${target}), ${url}, ${method}, ${recovers}, ${failedAt},
      ${failedAt}, ${failedAt}, ${failedAt}, ${dateOrNull(probeAt)})
    on conflict (workspace_id, target_key) do update set recovers = excluded.recovers,
      last_failed_at = greatest(o.last_failed_at, excluded.last_failed_at)
    returning o.id, xmax = 0 as "isNew"`.execute(tx);
  const [{ id, isNew } = { id: '', isNew: false }] = rows;
  const found = await sql<Outage>`select ${COLUMNS} from webhook_outages o
    where o.workspace_id = ${workspaceId} and o.id = ${id}`.execute(tx);
  const [outage] = found.rows;
  if (outage === undefined) throw new Error('the outage of a receiver was not stored');
  return { outage, isNew };
}

/** Outages with something to do: a kept delivery is being sent, a probe is due, or no look at it for `staleMs`. Locked. */
export async function takeOutages(tx: Tx, now: number, staleMs: number, limit: number): Promise<Outage[]> {
  const at = new Date(now);
  const { rows } = await sql<Outage>`
    select ${COLUMNS} from webhook_outages o
    where head_id is not null or probe_at <= ${at} or checked_at <= ${new Date(now - staleMs)}
    order by checked_at limit ${limit} for update of o skip locked`.execute(tx);
  return rows;
}

export async function saveOutage(
  tx: Tx,
  outage: Outage,
  change: Partial<
    Pick<
      Outage,
      'probes' | 'probeAt' | 'headId' | 'refusals' | 'isBack' | 'failingFrom' | 'disabledAt' | 'dropped'
    >
  >,
  now: number,
): Promise<void> {
  const next = { ...outage, ...change };
  await sql`update webhook_outages set probes = ${next.probes},
      probe_at = ${dateOrNull(next.probeAt)}, failing_from = ${new Date(next.failingFrom)},
      disabled_at = ${dateOrNull(next.disabledAt)}, head_id = ${next.headId}, refusals = ${next.refusals},
      is_back = ${next.isBack}, dropped = ${next.dropped}, checked_at = ${new Date(now)}
    where workspace_id = ${outage.workspaceId} and id = ${outage.id}`.execute(tx);
}

const dateOrNull = (at: number | null): Date | null => (at === null ? null : new Date(at));

/** Locks an outage of the workspace; undefined: it is over, or another workspace's. */
export async function lockOutage(tx: Tx, workspaceId: string, id: string): Promise<Outage | undefined> {
  const { rows } = await sql<Outage>`select ${COLUMNS} from webhook_outages o
    where o.workspace_id = ${workspaceId} and o.id = ${id} for update of o`.execute(tx);
  return rows[0];
}

/** Whether the receiver of a delivery is disabled now; its outage stays as it is until `tx` ends. */
export async function isDisabled(
  tx: Tx,
  { workspaceId, target }: Pick<GivenUp, 'workspaceId' | 'target'>,
): Promise<boolean> {
  const { rows } = await sql`select from webhook_outages
    where workspace_id = ${workspaceId} and target_key = md5(${target}) and disabled_at is not null for update`.execute(
    tx,
  );
  return rows.length > 0;
}

/** When the receiver last accepted an event of these days, epoch ms; null: it accepted none. Tests do not count. */
export async function lastAccepted(db: Db, outage: Outage): Promise<number | null> {
  const { rows } = await sql<{ at: number | null }>`
    select ${ms('max(d.finished_at)')} as at from deliveries d
    where d.workspace_id = ${outage.workspaceId} and d.created_at > ${new Date(outage.failingFrom)}
      and d.state = 'delivered' and not d.is_test and d.target = ${outage.target}`.execute(db);
  return rows[0]?.at ?? null;
}

export async function closeOutage(tx: Tx, { workspaceId, id }: Outage): Promise<void> {
  await sql`delete from webhook_outages where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

export async function keepDelivery(tx: Tx, given: GivenUp, outageId: string): Promise<void> {
  await sql`update given_up_deliveries set state = 'kept', outage_id = ${outageId}, event_seq = ${given.eventSeq}
    where workspace_id = ${given.workspaceId} and id = ${given.id}`.execute(tx);
}

export async function forgetGivenUp(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await sql`delete from given_up_deliveries where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** Drops the oldest kept deliveries of a workspace beyond `most`, and counts them in their outages. */
export async function dropOldest(tx: Tx, workspaceId: string, most: number): Promise<void> {
  await sql`
    with dropped as (
      delete from given_up_deliveries where workspace_id = ${workspaceId} and state = 'kept' and id in (
        select id from given_up_deliveries where workspace_id = ${workspaceId} and state = 'kept'
        order by event_seq desc offset ${most} for update skip locked)
      returning outage_id),
    counted as (select outage_id, count(*)::int as n from dropped group by outage_id)
    update webhook_outages o set dropped = o.dropped + c.n from counted c
    where o.workspace_id = ${workspaceId} and o.id = c.outage_id`.execute(tx);
}

/** What became of a delivery that was queued again; null: it is gone, or given up without being kept. */
export async function stateOfDelivery(
  tx: Tx,
  workspaceId: string,
  id: string,
): Promise<'due' | 'delivered' | 'dead' | null> {
  const { rows } = await sql<{ state: 'due' | 'delivered' | 'dead' }>`
    select d.state from deliveries d where d.workspace_id = ${workspaceId} and d.id = ${id}
      and (d.state <> 'dead' or exists (select from given_up_deliveries g
        where g.workspace_id = d.workspace_id and g.id = d.id))`.execute(tx);
  return rows[0]?.state ?? null;
}

/** Whether the receiver accepted an event since its last failure. */
export async function hasAccepted(db: Db, outage: Outage, lookBackMs: number): Promise<boolean> {
  const from = Math.max(outage.lastFailedAt, outage.checkedAt) - lookBackMs;
  const { rows } = await sql`
    select from deliveries d
    where d.workspace_id = ${outage.workspaceId} and d.created_at > ${new Date(from)} and d.state = 'delivered'
      and not d.is_test and d.target = ${outage.target} and d.finished_at > ${new Date(outage.lastFailedAt)}
    limit 1`.execute(db);
  return rows.length > 0;
}

/**
 * Queues the oldest kept delivery of the outage for one attempt (`attempt` counts from there); returns its id. Null: none is
 * kept.
 */
export async function sendOldestKept(
  tx: Tx,
  { workspaceId, id: outageId }: Outage,
  attempt: number,
  now: number,
): Promise<string | null> {
  const at = new Date(now);
  for (;;) {
    const { rows } = await sql<{ id: string; isSent: boolean }>`
      with oldest as (
        update given_up_deliveries set state = 'sending' where (workspace_id, id) in (
          select workspace_id, id from given_up_deliveries
          where outage_id = ${outageId} and state = 'kept' order by event_seq limit 1 for update skip locked)
        returning id),
      again as (
        update deliveries d set state = 'due', attempt = ${attempt}::smallint, due_at = ${at}, finished_at = null
        from oldest o where d.workspace_id = ${workspaceId} and d.id = o.id and d.state = 'dead' and not d.forget_address
        returning d.*),
      queued as (
        insert into delivery_queue (workspace_id, id, call_id, campaign_id, event_seq, target, host, is_resend, attempt, due_at)
        select workspace_id, id, call_id, campaign_id, event_seq, target, host, true, ${attempt}::smallint, ${at} from again
        returning id)
      select o.id, exists (select from queued) as "isSent" from oldest o`.execute(tx);
    const [row] = rows;
    if (row === undefined) return null;
    if (row.isSent) return row.id;
    // Erased, pruned or resent by a person in the meantime.
    await forgetGivenUp(tx, workspaceId, row.id);
  }
}

/** Those of these deliveries that are kept, or on their way again. */
export async function keptAmong(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`select id from given_up_deliveries
    where workspace_id = ${workspaceId} and id = any (${ids}::uuid[]) and outage_id is not null`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** The outages of a workspace, the longest one first. */
export async function listOutages(db: Db, workspaceId: string, limit: number): Promise<Outage[]> {
  const { rows } = await sql<Outage>`
    select ${COLUMNS} from webhook_outages o where o.workspace_id = ${workspaceId}
    order by o.since, o.id limit ${limit}`.execute(db);
  return rows;
}

/** The subscriptions of the workspace's agents, of active versions that name the event. */
export async function subscriptionsTo(
  db: Db,
  workspaceId: string,
  eventType: string,
): Promise<EventSubscription[][]> {
  const named = JSON.stringify([{ event_type: [eventType] }]);
  const { rows } = await sql<{ subscriptions: Wire<EventSubscription>[] }>`
    select v.config -> 'event_subscriptions' as subscriptions
    from agents a join agent_versions v on v.workspace_id = a.workspace_id and v.id = a.active_version_id
    where a.workspace_id = ${workspaceId} and a.archived_at is null
      and v.config -> 'event_subscriptions' @> ${named}::jsonb
    order by a.created_at, a.id`.execute(db);
  return rows.map(({ subscriptions }) => subscriptions.map((one) => subscriptionDocument.read(one)));
}
