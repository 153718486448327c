import { sql } from 'kysely';
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
}

export interface DeliveryTarget {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
}

/** Writes an event and one delivery for each target; false when the call already has this event. */
export async function insertEvent(
  tx: Tx,
  event: NewEvent,
  targets: readonly DeliveryTarget[],
): Promise<boolean> {
  const { rows } = await sql<{ seq: number }>`
    insert into events (workspace_id, id, call_id, dedup, event_type, body, occurred_at)
    values (${event.workspaceId}, ${event.eventId}, ${event.callId}, ${event.dedup}, ${event.eventType},
            ${JSON.stringify(event.body)}::jsonb, ${event.at})
    on conflict (workspace_id, call_id, dedup) do nothing
    returning seq`.execute(tx);
  const seq = rows[0]?.seq;
  if (seq === undefined) return false;
  for (const target of targets) {
    await tx
      .insertInto('deliveries')
      .values({
        workspace_id: event.workspaceId,
        id: newId(),
        event_id: event.eventId,
        call_id: event.callId,
        event_seq: seq,
        target: `${target.method} ${target.url}`,
        host: hostOf(target.url),
        url: target.url,
        method: target.method,
        headers: JSON.stringify(target.headers),
        state: 'due',
        due_at: event.at,
        created_at: event.at,
      })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'event_id', 'target']).doNothing())
      .execute();
  }
  return true;
}

/** A URL that cannot be parsed still gets its delivery, whose attempts fail and are recorded. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'invalid');
