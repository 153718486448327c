import { newId } from '../../shared/ids.ts';
import type { Tx } from '../../store/database.ts';
import { insertEvent } from '../../store/events.ts';
import type { JsonObject } from '../../store/schema.ts';
import type { EventSubscription } from '../agents/agent-version.ts';
import { envelope, type CallEventType, type EnvelopeCall } from './envelope.ts';
import { targetsOf } from './subscriptions.ts';

export interface CallEvent {
  readonly type: CallEventType;
  /** The attempt it belongs to; null for what happens once in a call. */
  readonly attempt: number | null;
  readonly at: Date;
  readonly toolLog?: readonly JsonObject[];
  readonly more?: JsonObject;
}

/**
 * Writes an event of a call and its deliveries, in the transaction that made it true. `call` shows the state after
 * the event. False when it was written before.
 */
export async function appendEvent(
  tx: Tx,
  call: EnvelopeCall & { readonly versionConfig: JsonObject },
  event: CallEvent,
): Promise<boolean> {
  const eventId = newId();
  const subscriptions = call.versionConfig['event_subscriptions'] as EventSubscription[] | undefined;
  return insertEvent(
    tx,
    {
      workspaceId: call.workspaceId,
      callId: call.id,
      eventId,
      eventType: event.type,
      dedup: event.attempt === null ? event.type : `${event.type}:${event.attempt}`,
      body: envelope(event.type, eventId, call, event.at, event.toolLog ?? [], event.more ?? {}),
      at: event.at,
    },
    targetsOf(event.type, subscriptions),
  );
}
