import { layCallTime } from '../../shared/call-config-levels.ts';
import type { CallTime } from '../../store/json/call-config.ts';

/** The calling window without any other. */
export const DEFAULT_CALL_TIME: CallTime = {
  callStartTime: '09:00',
  callEndTime: '21:00',
  timezone: 'Asia/Kolkata',
  days: null,
  slots: null,
  useCalleeTimezone: false,
};

/** Overlays one level of the window on another: at an edit, and between the levels of a call. */
export const mergeCallTime = (base: CallTime, over: Partial<CallTime>): CallTime => layCallTime(base, over);
