/** What the service does by itself: no request caused it. */
export const SYSTEM_ACTIONS = [
  'workspace.cap_reached',
  'workspace.outbound_paused',
  'webhooks.receiver_disabled',
  'quality.alert_raised',
  'quality.alert_cleared',
] as const;
export type SystemAction = (typeof SYSTEM_ACTIONS)[number];

/** Entries outside a request's own: the provision file, and what follows from an operation later. */
export const LATER_ACTIONS = ['provision', 'beginListening', 'endListening', 'endTakeOver'] as const;
export type LaterAction = (typeof LATER_ACTIONS)[number];
