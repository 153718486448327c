import type { CallingWindow } from '../../domain/call-windows/calling-window.ts';
import { toWindow } from '../../wire/calling-window.ts';

export const toCallingWindow = (window: CallingWindow) => ({
  ...toWindow(window),
  callee_timezone: window.calleeZones.length === 0 ? null : window.shownZone,
  callee_timezones: [...window.calleeZones],
  is_open: window.isOpen,
  opens_at: window.opensAt,
  closes_at: window.closesAt,
  next_dial_at: window.nextDialAt,
});
