import type { JsonObject } from '../../store/schema.ts';

/** Sent when a receiver is disabled because it accepted nothing for five days. */
export const RECEIVER_DISABLED_EVENT = 'webhook_receiver_disabled';

/** The payload. `origin` is all of the receiver's address that it has. */
export const receiverDisabledBody = (
  eventId: string,
  disabled: {
    readonly workspaceId: string;
    readonly receiverId: string;
    readonly origin: string;
    readonly method: string;
    readonly failingSince: Date;
    readonly lastFailedAt: Date;
  },
  at: Date,
): JsonObject => ({
  event_type: RECEIVER_DISABLED_EVENT,
  event_id: eventId,
  workspace_id: disabled.workspaceId,
  receiver_id: disabled.receiverId,
  callback_url: disabled.origin,
  method_type: disabled.method,
  failing_since: disabled.failingSince.toISOString(),
  last_failed_at: disabled.lastFailedAt.toISOString(),
  occurred_at: at.toISOString(),
});
