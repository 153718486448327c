import type { TimeSlot, Weekday } from '../store/json/call-config.ts';

/** When calls may be made, as answers and stored answers tell it. */
export const toWindow = (window: {
  readonly start: string;
  readonly end: string;
  readonly slots: readonly TimeSlot[] | null;
  readonly days: readonly Weekday[] | null;
  readonly timezone: string;
  readonly usesCalleeZone: boolean;
  readonly source: 'default' | 'agent' | 'campaign' | 'call';
}) => ({
  start: window.start,
  end: window.end,
  slots: window.slots === null ? null : [...window.slots],
  days: window.days === null ? null : [...window.days],
  timezone: window.timezone,
  use_callee_timezone: window.usesCalleeZone,
  source: window.source,
});
