import type { JsonObject } from '../../store/schema.ts';
import type { GivenUp } from '../../store/webhooks/outages.ts';

/** Sent once when a receiver's first delivery is given up, until the receiver accepts one again. */
export const DELIVERY_FAILED = 'webhook_delivery_failed';

/** The payload. `origin` is all of the receiver's address that it has. */
export const deliveryFailedBody = (
  eventId: string,
  workspaceId: string,
  failed: Pick<GivenUp, 'id' | 'method' | 'eventType' | 'lastStatus' | 'lastError' | 'recovers'>,
  receiver: { readonly origin: string; readonly nextProbeAt: Date | null },
  at: Date,
): JsonObject => ({
  event_type: DELIVERY_FAILED,
  event_id: eventId,
  workspace_id: workspaceId,
  callback_url: receiver.origin,
  method_type: failed.method,
  delivery_id: failed.id,
  failed_event_type: failed.eventType,
  last_status: failed.lastStatus,
  last_error: failed.lastError,
  recovery: failed.recovers ? 'automatic' : 'manual',
  next_probe_at: receiver.nextProbeAt?.toISOString() ?? null,
  occurred_at: at.toISOString(),
});
