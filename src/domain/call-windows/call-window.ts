import type { VersionConfig } from '../../store/json/agent-version.ts';
import type { CallLevelConfig, CallTime, TimeSlot, Weekday } from '../../store/json/call-config.ts';
import { DEFAULT_CALL_TIME, mergeCallTime } from './call-time.ts';
import type { JsonObject } from '../../store/schema.ts';
import { zonesOfNumber } from './callee-zone.ts';
import { changeOn, instantsOf, localTime, offsetAt } from '@callwright/language';

export { isValidZone } from '@callwright/language';

/** Calls may be dialled while a slot is open in every zone. Overlapping slots form their union. */
export interface CallWindow {
  readonly slots: readonly Slot[];
  /** Open days of the week, Sunday first; null: all. A slot that crosses midnight belongs to its first day. */
  readonly days: readonly boolean[] | null;
  readonly zones: readonly string[];
}

/**
 * Minutes of the day, start inclusive, end exclusive. An end before the start crosses midnight; the same start and
 * end mean the whole day.
 */
export interface Slot {
  readonly startMinute: number;
  readonly endMinute: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Search limit: a window of one day a week whose slot a clock change skips opens two weeks later. */
const DAYS_AHEAD = 15;
/** More than the largest offset of a zone ahead of UTC. */
const FIRST_ZONE_MS = 15 * 3_600_000;
const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;
const WEEK: readonly Weekday[] = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
/** 1 January 1970 was a Thursday. */
const EPOCH_DAY = 4;

/** Minute of the day of `HH:MM`; null unless it is zero-padded 24-hour time. */
export function minuteOfDay(text: string): number | null {
  const match = TIME.exec(text);
  return match === null ? null : Number(match[1]) * 60 + Number(match[2]);
}

/**
 * The window in which `callee` may be dialled: the agent's `call_time`, overridden by the call's own or its campaign's.
 * Throws for values that the API rejects.
 */
export function callWindow(
  agent: Partial<CallTime> | null | undefined,
  call: Partial<CallTime> | null | undefined,
  callee: string,
): CallWindow {
  const time = mergeCallTime(mergeCallTime(DEFAULT_CALL_TIME, agent ?? {}), call ?? {});
  const slots = time.slots ?? [{ start: time.callStartTime, end: time.callEndTime }];
  const own = time.useCalleeTimezone ? zonesOfNumber(callee) : [];
  const { days } = time;
  return {
    slots: slots.map(toSlot),
    days: days === null ? null : WEEK.map((day) => days.includes(day)),
    // A number of no country falls back to the window's own zone.
    zones: own.length > 0 ? own : [time.timezone],
  };
}

/**
 * The zone for a time that the callee names on the phone. Of several possible zones the westernmost at `now`, so that
 * no zone is called before the named time.
 */
export const zoneOf = ({ zones }: CallWindow, now: number): string =>
  zones.reduce((last, zone) => (offsetAt(zone, now) < offsetAt(last, now) ? zone : last));

/** True when the window is read in the callee's zone. */
export const isReadByCallee = (
  agent: Partial<CallTime> | null | undefined,
  call: Partial<CallTime> | null | undefined,
): boolean => call?.useCalleeTimezone ?? agent?.useCalleeTimezone ?? false;

function toSlot(slot: TimeSlot): Slot {
  const startMinute = minuteOfDay(slot.start);
  const endMinute = minuteOfDay(slot.end);
  if (startMinute === null || endMinute === null) throw new RangeError('call_time is not HH:MM');
  return { startMinute, endMinute };
}

/** `at` is epoch ms. */
export function isOpen(window: CallWindow, at: number): boolean {
  return window.zones.every((zone) => isOpenIn(window, zone, at));
}

/**
 * The first open instant at or after `at`. Null without one in the next fortnight: the window is short and the callee's
 * possible zones lie far apart.
 */
export function nextOpening(window: CallWindow, at: number): number | null {
  let candidate = at;
  while (candidate <= at + DAYS_AHEAD * DAY_MS) {
    const from = candidate;
    for (const zone of window.zones) {
      const opening = nextOpeningIn(window, zone, candidate);
      if (opening === null) return null;
      candidate = opening;
    }
    // No zone moved the candidate, so all zones are open at it.
    if (candidate === from) return candidate;
  }
  return null;
}

/** The first closed instant at or after `at`; null when the window stays open for the next fortnight. */
export function nextClosing(window: CallWindow, at: number): number | null {
  if (!isOpen(window, at)) return at;
  const today = Math.floor(at / DAY_MS);
  let closing = Number.POSITIVE_INFINITY;
  for (let day = today - 1; day <= today + DAYS_AHEAD; day += 1) {
    // No zone begins this date earlier.
    if (closing < day * DAY_MS - FIRST_ZONE_MS) break;
    for (const zone of window.zones) {
      for (const instant of boundsOn(window, zone, day)) {
        if (instant > at && instant < closing && !isOpenIn(window, zone, instant)) closing = instant;
      }
    }
  }
  return closing === Number.POSITIVE_INFINITY ? null : closing;
}

/** Instants at which the window can close on this date of the zone: midnight, slot ends and a clock change. */
function boundsOn({ slots }: CallWindow, zone: string, day: number): number[] {
  const minutes = [0, ...slots.map(({ endMinute }) => endMinute)];
  const bounds = minutes.flatMap((minute) => instantsOf(zone, day * DAY_MS + minute * MINUTE_MS));
  const change = changeOn(zone, day);
  return change === null ? bounds : [...bounds, change];
}

function isOpenIn(window: CallWindow, zone: string, at: number): boolean {
  const local = localTime(zone, at);
  const minute = Math.floor((((local % DAY_MS) + DAY_MS) % DAY_MS) / MINUTE_MS);
  const today = Math.floor(local / DAY_MS);
  return window.slots.some((slot) => {
    const day = dayOfSlot(slot, minute, today);
    if (day === null || !isDay(window, day)) return false;
    if (slot.startMinute === slot.endMinute) return true;
    // After the clock was set back, the same minutes occur twice: a slot that has closed stays closed for that date.
    if (offsetAt(zone, at - DAY_MS - 3 * 60 * MINUTE_MS) <= offsetAt(zone, at)) return true;
    const endDay = slot.endMinute > slot.startMinute ? day : day + 1;
    const opens = instantsOf(zone, day * DAY_MS + slot.startMinute * MINUTE_MS)[0] ?? 0;
    const closes = instantsOf(zone, endDay * DAY_MS + slot.endMinute * MINUTE_MS)[0] ?? 0;
    return at >= opens && at < closes;
  });
}

/** The day that the slot belongs to when it contains this minute; null when it does not. */
function dayOfSlot({ startMinute, endMinute }: Slot, minute: number, today: number): number | null {
  if (startMinute === endMinute) return today;
  if (startMinute < endMinute) return minute >= startMinute && minute < endMinute ? today : null;
  if (minute >= startMinute) return today;
  return minute < endMinute ? today - 1 : null;
}

const isDay = (window: CallWindow, day: number): boolean =>
  window.days === null || window.days[(((day + EPOCH_DAY) % 7) + 7) % 7] === true;

function nextOpeningIn(window: CallWindow, zone: string, at: number): number | null {
  if (isOpenIn(window, zone, at)) return at;
  const today = Math.floor(localTime(zone, at) / DAY_MS);
  for (let day = today - 1; day <= today + DAYS_AHEAD; day += 1) {
    if (!isDay(window, day)) continue;
    let best = Number.POSITIVE_INFINITY;
    for (const { startMinute, endMinute } of window.slots) {
      const opens = startMinute === endMinute ? 0 : startMinute;
      for (const instant of instantsOf(zone, day * DAY_MS + opens * MINUTE_MS)) {
        if (instant >= at && instant < best && isOpenIn(window, zone, instant)) best = instant;
      }
    }
    if (best < Number.POSITIVE_INFINITY) return best;
  }
  return null;
}

/** The first open instant at or after `at` of the call's window; null when it never opens for this callee. */
export function openingAfter(
  versionConfig: Partial<VersionConfig>,
  callConfig: CallLevelConfig | null,
  toNumber: string,
  at: number,
): number | null {
  return nextOpening(windowOf(versionConfig, callConfig, toNumber), at);
}

/** The first closed instant at or after `at` of the same window; null when it does not close. */
export function closingAfter(
  versionConfig: Partial<VersionConfig>,
  callConfig: CallLevelConfig | null,
  toNumber: string,
  at: number,
): number | null {
  return nextClosing(windowOf(versionConfig, callConfig, toNumber), at);
}

function windowOf(
  versionConfig: Partial<VersionConfig>,
  callConfig: CallLevelConfig | null,
  toNumber: string,
): CallWindow {
  const own = callConfig?.callTime;
  return callWindow(callTimeOf(versionConfig), own, toNumber);
}

export const callTimeOf = (versionConfig: Partial<VersionConfig>): Partial<CallTime> | undefined =>
  versionConfig.callConfig?.callTime;

/**
 * When a campaign can dial next: the earliest opening over all versions of its agent, each overridden by the campaign's
 * own settings. Returns `at` when the opening depends on the single call: windows in the callee's zone, or one that never opens.
 */
export function campaignOpening(
  campaign: {
    readonly callConfig: CallLevelConfig | null;
    readonly versions: readonly { readonly callTime: JsonObject | null }[];
  },
  at: number,
): number {
  const own = campaign.callConfig?.callTime;
  const openings = campaign.versions.map(({ callTime: agent }) =>
    isReadByCallee(agent, own) ? at : (nextOpening(callWindow(agent, own, ''), at) ?? at),
  );
  return openings.length === 0 ? at : Math.min(...openings);
}
