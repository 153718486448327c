/** Abbreviations the interface names: refused, because each stands for several zones. */
const REFUSED = new Set(['IST', 'PST', 'CST']);

/** Zones with a constant offset: this table overrides the system's zone data, which may add daylight saving. */
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

/** Cache limit, above the number of zones; spellings in mixed letter case could fill the caches, so a full cache is cleared. */
const ZONES_KEPT = 700;
const formats = new Map<string, Intl.DateTimeFormat | null>();

/** Caches one formatter per zone: creating one costs fifteen times as much as using it. */
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
  // Refusals are not cached, because clients choose the text.
  if (format !== null) keep(formats, zone, format);
  return format;
}

function keep<T>(cache: Map<string, T>, zone: string, value: T): void {
  if (cache.size >= ZONES_KEPT) cache.clear();
  cache.set(zone, value);
}

/** Whether `zone` may be used: any IANA zone in Region/City form, or EST, MST, HST, GMT, UTC (interface, call_config). */
export const isValidZone = (zone: string): boolean => formatOf(zone) !== null;

/** The wall clock of the zone, as the epoch ms at which UTC shows the same digits. */
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

/** Cached days per zone; a full cache is cleared. */
const DAYS_KEPT = 64;
const offsetsOfDays = new Map<string, Map<number, number | null>>();

/** The offset during one UTC day, cached; null when it changes on that day. A formatter call costs a hundred times as much. */
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
 * The instants at which the wall clock shows `local` (epoch ms of its digits): one normally, two where the clock is
 * set back over it. For a skipped time, the instant of the clock change.
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

/** ISO 8601 to the second on the clock of the zone, with its offset. */
export function isoIn(zone: string, at: number): string {
  const offset = Math.round(offsetAt(zone, at) / MINUTE_MS);
  const sign = offset < 0 ? '-' : '+';
  const two = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.abs(offset);
  const local = new Date(at + offset * MINUTE_MS).toISOString().slice(0, 19);
  return `${local}${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
