import { sql, type RawBuilder } from 'kysely';
import { newId } from '../shared/ids.ts';
import type { Tx } from './database.ts';
import type { JsonObject } from './schema.ts';

export interface NewEvent {
  readonly workspaceId: string;
  readonly callId: string;
  readonly eventId: string;
  readonly eventType: string;
  /** Unique within the call: the same fact told twice is one event. */
  readonly dedup: string;
  readonly body: JsonObject;
  readonly at: Date;
  /** Asked for to try a receiver; nothing happened. */
  readonly isTest?: boolean;
}

export interface DeliveryTarget {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  /** The campaign whose receiver this is: its own last event waits for those of its calls. */
  readonly laneId?: string;
}

export interface AddressedEvent {
  readonly event: NewEvent;
  readonly targets: readonly DeliveryTarget[];
}

/** Writes events in order, each with one delivery per target; returns the ids of those their calls did not have. */
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
      lane_id: target.laneId ?? null,
      event_seq: seq,
      event_type: event.eventType,
      is_test: event.isTest ?? false,
      target: targetName(target),
      host: hostOf(target.url),
      url: target.url,
      method: target.method,
      headers: JSON.stringify(target.headers),
      without_answers: isErased(event),
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
        deliveries.map(({ workspace_id, id, call_id, lane_id, event_seq, target, host, due_at }) => ({
          workspace_id,
          id,
          call_id,
          lane_id,
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

/** Writes one event; false when the call already has it. */
export async function insertEvent(
  tx: Tx,
  event: NewEvent,
  targets: readonly DeliveryTarget[],
): Promise<boolean> {
  return (await insertEvents(tx, [{ event, targets }])).size > 0;
}

const isErased = ({ workspaceId, callId }: NewEvent): RawBuilder<boolean> => sql<boolean>`exists (
  select from call_records where workspace_id = ${workspaceId} and call_id = ${callId} and erased_at is not null)`;

/** The longest a host's name may be, with a port. */
const MAX_HOST = 260;
/** A URL that cannot be parsed still gets its delivery, whose attempts fail and are recorded. */
const hostOf = (url: string): string =>
  URL.canParse(url) ? new URL(url).host.slice(0, MAX_HOST) : 'invalid';

const targetName = ({ method, url }: DeliveryTarget): string => `${method} ${url}`;
/** A receiver named twice is told once. */
const onePerTarget = (targets: readonly DeliveryTarget[]): DeliveryTarget[] =>
  [...new Map(targets.toReversed().map((target) => [targetName(target), target])).values()].toReversed();
