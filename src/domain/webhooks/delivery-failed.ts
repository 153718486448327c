import type { EventSubscription } from '../../store/json/agent-version.ts';
import { newId } from '../../shared/ids.ts';
import type { Tx } from '../../store/database.ts';
import type { JsonObject } from '../../store/schema.ts';
import { insertEvent } from '../../store/webhooks/events.ts';
import { subscriptionsTo, type GivenUp, type Outage } from '../../store/webhooks/outages.ts';
import { PROBE_AFTER_MS } from './recovery-schedule.ts';
import { targetsOf } from './subscriptions.ts';

/** Sent once when a receiver's first delivery is given up, until the receiver accepts one again. */
export const DELIVERY_FAILED = 'webhook_delivery_failed';

/** The body. Of the address it has the host alone: the rest may hold a secret, or data of a person that an erasure could not find here. */
export const deliveryFailedBody = (
  eventId: string,
  workspaceId: string,
  failed: Pick<GivenUp, 'id' | 'url' | 'method' | 'eventType' | 'lastStatus' | 'lastError' | 'recovers'>,
  at: Date,
): JsonObject => ({
  event_type: DELIVERY_FAILED,
  event_id: eventId,
  workspace_id: workspaceId,
  callback_url: originOf(failed.url),
  method_type: failed.method,
  delivery_id: failed.id,
  failed_event_type: failed.eventType,
  last_status: failed.lastStatus,
  last_error: failed.lastError,
  recovery: failed.recovers ? 'automatic' : 'manual',
  next_probe_at: failed.recovers ? new Date(at.getTime() + (PROBE_AFTER_MS[0] ?? 0)).toISOString() : null,
  occurred_at: at.toISOString(),
});

/** Queues the event to every other receiver that subscribes to it; false: there is none. */
export async function appendDeliveryFailed(
  tx: Tx,
  outage: Outage,
  failed: GivenUp,
  at: Date,
): Promise<boolean> {
  const { workspaceId } = outage;
  const lists = (await subscriptionsTo(tx, workspaceId, DELIVERY_FAILED)) as EventSubscription[][];
  const targets = lists
    .flatMap((list) => targetsOf(DELIVERY_FAILED, list))
    .filter(({ method, url }) => `${method} ${url}` !== outage.target);
  if (targets.length === 0) return false;
  const eventId = newId();
  return insertEvent(
    tx,
    {
      workspaceId,
      // The outage takes the place of a call: the event belongs to none.
      callId: outage.id,
      eventId,
      eventType: DELIVERY_FAILED,
      dedup: DELIVERY_FAILED,
      body: deliveryFailedBody(eventId, workspaceId, failed, at),
      at,
    },
    targets,
  );
}

const originOf = (text: string): string => (URL.canParse(text) ? new URL(text).origin : '');
