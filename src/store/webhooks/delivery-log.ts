import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db } from '../database.ts';
import type { JsonObject } from '../schema.ts';

export interface DeliveryRow {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly callId: string;
  readonly campaignId: string | null;
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly state: 'due' | 'delivered' | 'dead';
  readonly attempt: number;
  readonly resends: number;
  readonly isTest: boolean;
  readonly dueAt: Date;
  readonly attempts: readonly JsonObject[];
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  /** The receiver belongs to an erased call: its URL is deleted when the delivery ends. */
  readonly forgetAddress: boolean;
}
const COLUMNS = [
  'id',
  'event_id as eventId',
  'event_type as eventType',
  'call_id as callId',
  'campaign_id as campaignId',
  'url',
  'method',
  'headers',
  'state',
  'attempt',
  'resends',
  'is_test as isTest',
  'due_at as dueAt',
  'attempts',
  'created_at as createdAt',
  'finished_at as finishedAt',
  'forget_address as forgetAddress',
] as const;

export interface DeliveryFilter {
  readonly callId: string | null;
  readonly eventType: string | null;
  readonly state: DeliveryRow['state'] | null;
  readonly since: Date | null;
}

/** A workspace's deliveries, newest first. */
export function listDeliveries(
  db: Db,
  workspaceId: string,
  filter: DeliveryFilter,
  page: {
    readonly limit: number;
    readonly offset: number;
    readonly after: { readonly at: Date; readonly id: string } | null;
  },
): Promise<DeliveryRow[]> {
  return db
    .selectFrom('deliveries')
    .select(COLUMNS)
    .where('workspace_id', '=', workspaceId)
    .$if(filter.callId !== null, (q) => q.where('call_id', '=', filter.callId))
    .$if(filter.eventType !== null, (q) => q.where('event_type', '=', filter.eventType))
    .$if(filter.state !== null, (q) => q.where('state', '=', filter.state))
    .$if(filter.since !== null, (q) => q.where('created_at', '>=', filter.since))
    .$if(page.after !== null, (q) =>
      q.where(sql<SqlBool>`(created_at, id) < (${page.after?.at}, ${page.after?.id})`),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

export async function findDelivery(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<{ readonly delivery: DeliveryRow; readonly body: JsonObject } | undefined> {
  const delivery = await db
    .selectFrom('deliveries')
    .select(COLUMNS)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (delivery === undefined) return undefined;
  const event = await db
    .selectFrom('events')
    .select('body')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', delivery.eventId)
    .where('call_id', '=', delivery.callId)
    .executeTakeFirstOrThrow();
  return { delivery, body: event.body };
}

/**
 * Makes ended deliveries due again with a full retry budget; returns how many. `which` is a condition on `deliveries
 * d`. Skips deliveries whose URL was deleted by an erasure.
 */
async function sendAgain(
  db: Db,
  workspaceId: string,
  which: RawBuilder<unknown>,
  limit: number,
  at: Date,
): Promise<number> {
  const { rows } = await sql`
    with old as (
      select d.workspace_id, d.id from deliveries d
      where d.workspace_id = ${workspaceId} and d.state <> 'due' and not d.forget_address and ${which}
      order by d.event_seq limit ${limit} for update skip locked),
    again as (
      update deliveries d set state = 'due', attempt = 0, due_at = ${at}, finished_at = null,
        resends = least(d.resends + 1, 30000)
      from old where d.workspace_id = old.workspace_id and d.id = old.id
      returning d.*),
    -- Both without waiting: the recovery holds such rows while it waits for a delivery, and finds out by itself that a
    -- delivery is due again.
    recovered as (
      delete from given_up_deliveries where (workspace_id, id) in (
        select g.workspace_id, g.id from given_up_deliveries g
        where g.workspace_id = ${workspaceId} and g.id in (select id from again) for update skip locked)),
    -- One of them proves whether a receiver that accepted nothing is back.
    probed as (
      update webhook_outages o set head_id = a.id
      from (select distinct on (target) target, id from again order by target, event_seq) a
      where o.workspace_id = ${workspaceId} and o.target_key = md5(a.target) and o.id in (
        select id from webhook_outages where workspace_id = ${workspaceId} and head_id is null for update skip locked))
    insert into delivery_queue (workspace_id, id, call_id, campaign_id, event_seq, target, host, is_resend, due_at)
    select workspace_id, id, call_id, campaign_id, event_seq, target, host, true, ${at} from again
    returning id`.execute(db);
  return rows.length;
}

/** Makes an ended delivery due again; false if it is still due or its URL was deleted by an erasure. */
export async function resendOne(db: Db, workspaceId: string, id: string, at: Date): Promise<boolean> {
  return (await sendAgain(db, workspaceId, sql`d.id = ${id}`, 1, at)) > 0;
}

/**
 * Makes at most `limit` deliveries due again that were given up in this period, without test events. Returns how many.
 */
export function resendDead(
  db: Db,
  workspaceId: string,
  which: { readonly since: Date; readonly until: Date; readonly urls: readonly string[] | null },
  limit: number,
  at: Date,
): Promise<number> {
  const { since, until, urls } = which;
  const dead = sql`d.state = 'dead' and not d.is_test and d.finished_at between ${since} and ${until}
    and (${urls}::text[] is null or d.url = any (${urls}::text[]))`;
  return sendAgain(db, workspaceId, dead, limit, at);
}

/** Deletes ended deliveries created before `before`, at most `limit` per workspace; returns how many. */
export async function pruneDeliveries(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from deliveries d using (
      select p.workspace_id, p.id from workspaces w cross join lateral (
        select workspace_id, id from deliveries
        where workspace_id = w.id and created_at < ${before} and state <> 'due'
        order by created_at limit ${limit} for update skip locked) p) old
    where d.workspace_id = old.workspace_id and d.id = old.id`.execute(db);
  return Number(numAffectedRows ?? 0);
}
