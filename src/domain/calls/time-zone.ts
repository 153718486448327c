/** Abbreviations the interface names: refused, because each stands for several zones. */
const REFUSED = new Set(['IST', 'PST', 'CST']);

/** Accepted as zones that never follow daylight saving, whatever the system's zone data maps them to. */
const FIXED: Readonly<Record<string, string>> = {
  EST: 'Etc/GMT+5',
  MST: 'Etc/GMT+7',
  HST: 'Etc/GMT+10',
  GMT: 'Etc/GMT',
  UTC: 'Etc/GMT',
};

const REGION_CITY = /^[A-Z][A-Za-z_]*(?:\/[A-Z0-9][A-Za-z0-9_+-]*)+$/;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** More than there are zones; clients may write one in many mixtures of case, so past that both caches start over. */
const ZONES_KEPT = 700;
const formats = new Map<string, Intl.DateTimeFormat | null>();

/** One formatter per zone: making one costs fifteen times as much as using it. */
function formatOf(zone: string): Intl.DateTimeFormat | null {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  if (zone.length > 64) return null;
  let format: Intl.DateTimeFormat | null = null;
  if (!REFUSED.has(zone) && (Object.hasOwn(FIXED, zone) || REGION_CITY.test(zone))) {
    try {
      format = new Intl.DateTimeFormat('en-US', {
        timeZone: FIXED[zone] ?? zone,
        hourCycle: 'h23',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
      });
    } catch {
      format = null;
    }
  }
  // Refusals are not kept: what clients send must not fill the memory.
  if (format !== null) keep(formats, zone, format);
  return format;
}

function keep<T>(cache: Map<string, T>, zone: string, value: T): void {
  if (cache.size >= ZONES_KEPT) cache.clear();
  cache.set(zone, value);
}

/** Whether `zone` may be used: any IANA zone in Region/City form, or EST, MST, HST, GMT, UTC (interface, call_config). */
export const isValidZone = (zone: string): boolean => formatOf(zone) !== null;

/** A wall clock's reading as if it were UTC: epoch ms of the same digits. */
export function localTime(zone: string, at: number): number {
  const constant = offsetOfDay(zone, Math.floor(at / DAY_MS));
  return constant === null ? readClock(zone, at) : Math.floor(at / 1000) * 1000 + constant;
}

/** The zone's offset from UTC at an instant, in ms. Whole seconds; the ms of `at` do not matter. */
export function offsetAt(zone: string, at: number): number {
  const constant = offsetOfDay(zone, Math.floor(at / DAY_MS));
  if (constant !== null) return constant;
  const second = Math.floor(at / 1000) * 1000;
  return readClock(zone, second) - second;
}

/** The most days kept of one zone; past that it starts over. */
const DAYS_KEPT = 64;
const offsetsOfDays = new Map<string, Map<number, number | null>>();

/** The offset all through one UTC day; null when it changes in it. Asking the system costs a hundred times as much. */
function offsetOfDay(zone: string, day: number): number | null {
  let days = offsetsOfDays.get(zone);
  const known = days?.get(day);
  if (known !== undefined) return known;
  const [start, end] = [day * DAY_MS, (day + 1) * DAY_MS];
  const offset = readClock(zone, start) - start;
  const constant = readClock(zone, end) - end === offset ? offset : null;
  if (days === undefined) keep(offsetsOfDays, zone, (days = new Map()));
  if (days.size >= DAYS_KEPT) days.clear();
  days.set(day, constant);
  return constant;
}

function readClock(zone: string, at: number): number {
  const format = formatOf(zone);
  if (format === null) throw new RangeError('not a usable time zone');
  const field: Record<string, number> = {};
  for (const part of format.formatToParts(at)) field[part.type] = Number(part.value);
  return Date.UTC(
    field['year'] ?? 0,
    (field['month'] ?? 1) - 1,
    field['day'] ?? 1,
    field['hour'] ?? 0,
    field['minute'] ?? 0,
    field['second'] ?? 0,
  );
}

/**
 * The instants at which the wall clock shows `local` (epoch ms of its digits): two where the clock is set back over
 * it, one normally; where it is skipped, the one instant at which the clock jumps over it.
 */
export function instantsOf(zone: string, local: number): number[] {
  const before = offsetAt(zone, local - DAY_MS);
  const after = offsetAt(zone, local + DAY_MS);
  if (before === after) return [local - before];
  const found = [...new Set([local - before, local - after])]
    .filter((instant) => instant + offsetAt(zone, instant) === local)
    .sort((a, b) => a - b);
  return found.length > 0 ? found : [transitionBetween(zone, local - DAY_MS, local + DAY_MS)];
}

/** The instant of this UTC day at which the zone's offset changes; null when it does not. */
export function changeOn(zone: string, day: number): number | null {
  if (offsetOfDay(zone, day) !== null) return null;
  return transitionBetween(zone, day * DAY_MS, (day + 1) * DAY_MS);
}

/** The instant in (low, high] at which the offset of `low` ends; zone changes happen on whole minutes. */
function transitionBetween(zone: string, low: number, high: number): number {
  const offset = offsetAt(zone, low);
  let from = Math.floor(low / MINUTE_MS);
  let to = Math.ceil(high / MINUTE_MS);
  while (to - from > 1) {
    const middle = Math.floor((from + to) / 2);
    if (offsetAt(zone, middle * MINUTE_MS) === offset) from = middle;
    else to = middle;
  }
  return to * MINUTE_MS;
}
