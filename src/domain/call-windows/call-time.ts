import { layCallTime } from '../../shared/call-config-levels.ts';
import type { CallTime } from '../../store/json/call-config.ts';

/** The calling window without any other. */
export const DEFAULT_CALL_TIME: CallTime = {
  call_start_time: '09:00',
  call_end_time: '21:00',
  timezone: 'Asia/Kolkata',
  days: null,
  slots: null,
  use_callee_timezone: false,
};

/** Overlays one level of the window on another: at an edit, and between the levels of a call. */
export const mergeCallTime = (base: CallTime, over: Partial<CallTime>): CallTime => layCallTime(base, over);
