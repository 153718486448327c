import type { ToolLogEntry } from '../../voice/conversation.ts';
import type { VersionConfig } from '../../store/json/agent-version.ts';
import type { CallCallback } from '../../store/json/callback.ts';
import { newId } from '../../shared/ids.ts';
import type { Tx } from '../../store/database.ts';
import { insertEvents, type AddressedEvent } from '../../store/webhooks/events.ts';
import type { JsonObject } from '../../store/schema.ts';
import { envelope, type CallEventType, type EnvelopeCall } from '../../wire/events/call.ts';
import { toCredits } from '../credits/price.ts';
import { receiversOf } from './subscriptions.ts';

export interface CallEvent {
  readonly type: CallEventType;
  /** The attempt of the event; null for an event that occurs once per call. */
  readonly attempt: number | null;
  readonly at: Date;
  readonly toolLog?: readonly ToolLogEntry[];
  readonly more?: JsonObject;
}

type EventCall = Omit<EnvelopeCall, 'credits'> & {
  /** Micro-credits. */
  readonly cost: number;
  readonly versionConfig: VersionConfig;
  readonly callback: CallCallback | null;
};

/**
 * Inserts an event and its deliveries in the transaction of the state change (transactional outbox). `call` has the
 * state after the event. Returns false for a duplicate.
 */
export async function appendEvent(tx: Tx, call: EventCall, event: CallEvent): Promise<boolean> {
  return (await insertEvents(tx, [addressed(call, event)])).size > 0;
}

/** The same for a batch of events, inserted in order. */
export async function appendEvents(
  tx: Tx,
  events: readonly { readonly call: EventCall; readonly event: CallEvent }[],
): Promise<void> {
  await insertEvents(
    tx,
    events.map(({ call, event }) => addressed(call, event)),
  );
}

function addressed(call: EventCall, event: CallEvent): AddressedEvent {
  const eventId = newId();
  const subscriptions = (call.versionConfig as Partial<VersionConfig>).eventSubscriptions;
  const facts = { ...call, credits: toCredits(call.cost) };
  return {
    event: {
      workspaceId: call.workspaceId,
      callId: call.id,
      eventId,
      eventType: event.type,
      dedup: event.attempt === null ? event.type : `${event.type}:${event.attempt}`,
      body: envelope(event.type, eventId, facts, event.at, event.toolLog ?? [], event.more ?? {}),
      at: event.at,
    },
    targets: receiversOf(event.type, subscriptions, call),
  };
}
