import type { JsonObject } from '../../store/schema.ts';

/** Sent when the anomaly stop pauses the outbound calls of a workspace. */
export const OUTBOUND_PAUSED = 'outbound_paused';

export const outboundPausedBody = (
  eventId: string,
  paused: {
    readonly workspaceId: string;
    readonly reason: 'attempts' | 'spend';
    readonly attempts: number;
    /** Credits. */
    readonly spent: number;
  },
  at: Date,
): JsonObject => ({
  event_type: OUTBOUND_PAUSED,
  event_id: eventId,
  workspace_id: paused.workspaceId,
  reason: paused.reason,
  attempts_of_hour: paused.attempts,
  credits_of_hour: paused.spent,
  occurred_at: at.toISOString(),
});
