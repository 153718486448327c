import type { CallingWindow, WindowLevels } from '../../domain/call-windows/calling-window.ts';

export const toWindow = (window: WindowLevels) => ({
  start: window.start,
  end: window.end,
  slots: window.slots === null ? null : [...window.slots],
  days: window.days === null ? null : [...window.days],
  timezone: window.timezone,
  use_callee_timezone: window.usesCalleeZone,
  source: window.source,
});

export const toCallingWindow = (window: CallingWindow) => ({
  ...toWindow(window),
  callee_timezone: window.calleeZones.length === 0 ? null : window.shownZone,
  callee_timezones: [...window.calleeZones],
  is_open: window.isOpen,
  opens_at: window.opensAt,
  closes_at: window.closesAt,
  next_dial_at: window.nextDialAt,
});
