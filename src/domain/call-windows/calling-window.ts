import { DEFAULT_CALL_TIME, mergeCallTime } from './call-time.ts';
import type { VersionConfig } from '../../store/json/agent-version.ts';
import type { CallTime, TimeSlot, Weekday } from '../../store/json/call-config.ts';
import { isoIn, localTime } from '@callwright/language';
import type { Warning } from '../warnings.ts';
import { callWindow, nextClosing, nextOpening, zoneOf } from './call-window.ts';
import { zonesOfNumber } from './callee-zone.ts';

/** The level that sets the calling window; `default`: no request gave one, so that of the interface holds. */
export type WindowSource = 'default' | 'agent' | 'campaign' | 'call';

/** The calling window of all levels as one. */
export interface WindowLevels {
  readonly start: string;
  readonly end: string;
  readonly slots: readonly TimeSlot[] | null;
  readonly days: readonly Weekday[] | null;
  readonly timezone: string;
  readonly usesCalleeZone: boolean;
  readonly source: WindowSource;
}

/** The calling window in force for one callee. Times are ISO 8601 on the callee's clock. */
export interface CallingWindow extends WindowLevels {
  /** The zones that the number may be in. */
  readonly calleeZones: readonly string[];
  /** The one whose clock the times below show. */
  readonly shownZone: string;
  readonly isOpen: boolean;
  /** Null while it is open, or when it never opens. */
  readonly opensAt: string | null;
  /** When it closes next; null: it never does, or is closed. */
  readonly closesAt: string | null;
  /** Null: the window never opens for this callee. */
  readonly nextDialAt: string | null;
  readonly isNightAtCallee: boolean;
}

type WindowConfig = {
  readonly callConfig: Pick<VersionConfig['callConfig'], 'callTime'>;
  readonly callTimeChosen?: boolean;
};

/** Overlays the levels of the window, and says which of them chose it. */
export function windowInForce(
  config: WindowConfig,
  own: { readonly by: 'call' | 'campaign'; readonly callTime: Partial<CallTime> | null | undefined },
): { readonly time: CallTime; readonly source: WindowSource } {
  const agent = mergeCallTime(DEFAULT_CALL_TIME, config.callConfig.callTime);
  const isOwn = own.callTime != null && Object.keys(own.callTime).length > 0;
  const ofAgent = isWindowChosen(config) ? 'agent' : 'default';
  return { time: mergeCallTime(agent, own.callTime ?? {}), source: isOwn ? own.by : ofAgent };
}

/** Versions stored before the mark existed chose their window unless it is the default's. */
export function isWindowChosen({
  callTimeChosen: mark,
  callConfig: { callTime: time },
}: WindowConfig): boolean {
  const preset = DEFAULT_CALL_TIME;
  const isPreset = (Object.keys(preset) as (keyof CallTime)[]).every(
    (key) => JSON.stringify(time[key] ?? preset[key]) === JSON.stringify(preset[key]),
  );
  return mark === true || !isPreset;
}

export const toWindowLevels = (time: CallTime, source: WindowSource): WindowLevels => ({
  start: time.callStartTime,
  end: time.callEndTime,
  slots: time.slots,
  days: time.days,
  timezone: time.timezone,
  usesCalleeZone: time.useCalleeTimezone,
  source,
});

export function callingWindow(
  config: WindowConfig,
  own: Parameters<typeof windowInForce>[1],
  callee: string,
  from: number,
): CallingWindow {
  const { time, source } = windowInForce(config, own);
  const window = callWindow(config.callConfig.callTime, own.callTime, callee);
  const calleeZones = zonesOfNumber(callee);
  const shownZone = zoneOf({ ...window, zones: calleeZones.length > 0 ? calleeZones : window.zones }, from);
  const opening = nextOpening(window, from);
  const isOpenNow = opening === from;
  const closing = isOpenNow ? nextClosing(window, from) : null;
  const show = (at: number | null): string | null => (at === null ? null : isoIn(shownZone, at));
  return {
    ...toWindowLevels(time, source),
    calleeZones,
    shownZone,
    isOpen: isOpenNow,
    opensAt: isOpenNow ? null : show(opening),
    closesAt: show(closing),
    nextDialAt: show(opening),
    isNightAtCallee: opening !== null && isNight(calleeZones, opening),
  };
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Hours in which people expect calls from businesses. */
const MORNING = 8;
const EVENING = 21;

/** Whether it is early or late at every place that a number of these zones may ring. */
export const isNight = (zones: readonly string[], at: number): boolean =>
  zones.length > 0 &&
  zones.every((zone) => {
    const hour = (((localTime(zone, at) % DAY_MS) + DAY_MS) % DAY_MS) / HOUR_MS;
    return hour < MORNING || hour >= EVENING;
  });

const FIELD = 'call_config.call_time';

/** `09:00 to 21:00 Asia/Kolkata`. */
export function windowWords(window: Omit<WindowLevels, 'source'>): string {
  const slots = window.slots ?? [{ start: window.start, end: window.end }];
  const times = slots.map(({ start, end }) => (start === end ? 'all day' : `${start} to ${end}`)).join(', ');
  return `${times} ${window.usesCalleeZone ? "on the callee's clock" : window.timezone}`;
}

/** What the sender of a call should know about when it leaves. */
export function windowWarnings(window: CallingWindow): Warning[] {
  const warnings: Warning[] = [];
  if (window.source === 'default') warnings.push(defaultWarning());
  if (!window.isOpen && window.opensAt !== null) {
    warnings.push({
      code: 'WINDOW_CLOSED',
      field: FIELD,
      message: `${whose(window.source)} calling window (${windowWords(window)}) is closed: the call waits until ${window.opensAt} (${window.shownZone})`,
    });
  }
  if (window.isNightAtCallee && window.nextDialAt !== null) {
    warnings.push({
      code: 'NIGHT_AT_CALLEE',
      field: FIELD,
      message: `the phone rings at ${window.nextDialAt.slice(11, 16)} on the callee's clock (${window.shownZone}); use_callee_timezone keeps calls inside the window there`,
    });
  }
  return warnings;
}

const whose = (source: WindowSource): string => `the ${source === 'default' ? 'default' : `${source}'s`}`;

/** An agent whose window nobody chose. */
export function defaultWarning(): Warning {
  const { callStartTime: start, callEndTime: end, timezone } = DEFAULT_CALL_TIME;
  return {
    code: 'DEFAULT_CALL_TIME',
    field: FIELD,
    message: `No call_time was given: calls leave ${start} to ${end} ${timezone}. Set timezone, or use_callee_timezone for the clock of each callee`,
  };
}
