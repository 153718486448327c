import { sql, type RawBuilder } from 'kysely';
import { newId } from '../../shared/ids.ts';
import type { Db, Tx } from '../database.ts';
import type { JsonObject } from '../schema.ts';
import { idBefore } from '../privacy/retention.ts';

export interface NewEvent {
  readonly workspaceId: string;
  readonly callId: string;
  readonly eventId: string;
  readonly eventType: string;
  /** Unique within the call, which makes inserting an event idempotent. */
  readonly dedup: string;
  readonly body: JsonObject;
  readonly at: Date;
  /** A test event, requested to try a receiver. */
  readonly isTest?: boolean;
}

export interface DeliveryTarget {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  /** The statuses that count as success; absent: 200. */
  readonly success?: '200' | '2xx';
  /** `automatic`: what is given up is kept until the receiver is back; absent: manual. */
  readonly recovery?: 'manual' | 'automatic';
  /** The campaign whose receiver this is; its `campaign_completed` waits for the events of its calls. */
  readonly campaignId?: string;
}

export interface AddressedEvent {
  readonly event: NewEvent;
  readonly targets: readonly DeliveryTarget[];
}

/** Inserts events in order, each with one delivery per target; returns the ids of the new ones. */
export async function insertEvents(tx: Tx, addressed: readonly AddressedEvent[]): Promise<Set<string>> {
  if (addressed.length === 0) return new Set();
  const rows = await tx
    .insertInto('events')
    .values(
      addressed.map(({ event }) => ({
        workspace_id: event.workspaceId,
        id: event.eventId,
        call_id: event.callId,
        dedup: event.dedup,
        event_type: event.eventType,
        body: JSON.stringify(event.body),
        occurred_at: event.at,
      })),
    )
    .onConflict((conflict) => conflict.columns(['workspace_id', 'call_id', 'dedup']).doNothing())
    .returning(['id', 'seq'])
    .execute();
  const seqOf = new Map(rows.map((row) => [row.id, row.seq]));
  const deliveries = addressed.flatMap(({ event, targets }) => {
    const seq = seqOf.get(event.eventId);
    if (seq === undefined) return [];
    return onePerTarget(targets).map((target) => ({
      workspace_id: event.workspaceId,
      id: newId(),
      event_id: event.eventId,
      call_id: event.callId,
      campaign_id: target.campaignId ?? null,
      event_seq: seq,
      event_type: event.eventType,
      is_test: event.isTest ?? false,
      target: targetName(target),
      host: hostOf(target.url),
      url: target.url,
      method: target.method,
      headers: JSON.stringify(target.headers),
      without_answers: isErased(event),
      any_2xx: target.success === '2xx',
      recovers: target.recovery === 'automatic',
      state: 'due' as const,
      due_at: event.at,
      created_at: event.at,
    }));
  });
  if (deliveries.length > 0) {
    await tx.insertInto('deliveries').values(deliveries).execute();
    await tx
      .insertInto('delivery_queue')
      .values(
        deliveries.map(({ workspace_id, id, call_id, campaign_id, event_seq, target, host, due_at }) => ({
          workspace_id,
          id,
          call_id,
          campaign_id,
          event_seq,
          target,
          host,
          due_at,
        })),
      )
      .execute();
  }
  return new Set(seqOf.keys());
}

/** Inserts one event; false if the call already has it. */
export async function insertEvent(
  tx: Tx,
  event: NewEvent,
  targets: readonly DeliveryTarget[],
): Promise<boolean> {
  return (await insertEvents(tx, [{ event, targets }])).size > 0;
}

const isErased = ({ workspaceId, callId }: NewEvent): RawBuilder<boolean> => sql<boolean>`exists (
  select from call_records where workspace_id = ${workspaceId} and call_id = ${callId} and erased_at is not null)`;

/** The longest host name with a port. */
const MAX_HOST = 260;

/** An invalid URL still gets a delivery, whose failed attempts are logged. */
const hostOf = (url: string): string =>
  URL.canParse(url) ? new URL(url).host.slice(0, MAX_HOST) : 'invalid';

const targetName = ({ method, url }: DeliveryTarget): string => `${method} ${url}`;

/** Deduplicates receivers. */
const onePerTarget = (targets: readonly DeliveryTarget[]): DeliveryTarget[] =>
  [...new Map(targets.toReversed().map((target) => [targetName(target), target])).values()].toReversed();

/**
 * Deletes events older than `before` without deliveries, at most `limit` per workspace; returns how many. Keeps the
 * events of a call that may still emit one, because they deduplicate it. `analysisJob` is the kind of the job that
 * emits a call's last event.
 */
export async function pruneEvents(db: Db, analysisJob: string, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from events e using (
      select p.workspace_id, p.id, p.call_id from workspaces w cross join lateral (
        select workspace_id, id, call_id from events o
        where workspace_id = w.id and id < ${idBefore(before)} and occurred_at < ${before}
          and not exists (select from deliveries d
            where d.workspace_id = o.workspace_id and d.call_id = o.call_id and d.event_seq = o.seq)
          and not exists (select from calls c where c.workspace_id = o.workspace_id and c.id = o.call_id
            and (c.status in ('registered', 'ongoing', 'retry') or c.updated_at >= ${before}))
          and not exists (select from jobs j where j.kind = ${analysisJob} and j.dedup = o.call_id::text
            and j.workspace_id = o.workspace_id and j.state = 'due')
          and not exists (select from recording_files f where f.workspace_id = o.workspace_id
            and f.call_id = o.call_id and f.state in ('repair', 'upload'))
        order by id limit ${limit} for update of o skip locked) p) old
    where e.workspace_id = old.workspace_id and e.id = old.id and e.call_id = old.call_id`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
