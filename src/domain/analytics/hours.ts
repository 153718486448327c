import { offsetAt } from '@callwright/language';

const DAY_MS = 86_400_000;
/** A quarter of an hour. */
export const SLOT_MS = 900_000;

/** A stretch in which a zone's offset from UTC is constant; it ends where the next one begins. */
export interface ZoneStretch {
  /** Epoch ms. */
  readonly from: number;
  readonly offsetMs: number;
}

/** The stretches of a zone from `from` to `to`, oldest first; a change counts from the next quarter of an hour. */
export function stretchesOf(zone: string, from: number, to: number): ZoneStretch[] {
  const start = Math.floor(from / SLOT_MS) * SLOT_MS;
  const stretches: ZoneStretch[] = [{ from: start, offsetMs: offsetAt(zone, start) }];
  for (let day = start; day <= to; day += DAY_MS) {
    const next = day + DAY_MS;
    const last = stretches.at(-1)!;
    const offsetMs = offsetAt(zone, next);
    if (offsetMs === last.offsetMs) continue;
    let changed = day;
    while (offsetAt(zone, changed) !== offsetMs) changed += SLOT_MS;
    stretches.push({ from: changed, offsetMs });
  }
  return stretches;
}

/** Epoch ms, `to` exclusive. */
interface Span {
  readonly from: number;
  readonly to: number;
}

const WEEK_MS = 7 * DAY_MS;
/** A Monday, as in `week_slot`. */
const MONDAY = Date.UTC(1970, 0, 5);
const weekOf = (ms: number): number => MONDAY + Math.floor((ms - MONDAY) / WEEK_MS) * WEEK_MS;
/** The beginning of the first week that begins at `ms` or later. */
const nextWeek = (ms: number): number => weekOf(ms + WEEK_MS - 1);

/**
 * The spans of whole weeks, Monday to Sunday in UTC, that days of any zone count as wholes and in which no stretch begins;
 * and the rest of all time. `from` and `to` bound what is counted where no day does. A zone's clock is less than a day away from
 * UTC, so a day more or less at each end leaves out no week that a day bounds.
 */
export function splitWeeks(
  stretches: readonly ZoneStretch[],
  days: { readonly firstDay: string | null; readonly lastDay: string | null },
  { from, to }: Span,
): { weeks: Span[]; rest: Span[] } {
  const midnight = (day: string): number => Date.parse(`${day}T00:00:00Z`);
  const begins = Math.max(
    weekOf(from),
    days.firstDay === null ? -Infinity : nextWeek(midnight(days.firstDay) + DAY_MS),
  );
  const ends = Math.min(nextWeek(to), days.lastDay === null ? Infinity : weekOf(midnight(days.lastDay)));
  const rest: Span[] = [];
  const weeks: Span[] = [];
  let at = -Infinity;
  const take = (week: Span): void => {
    if (week.from >= week.to) return;
    if (at < week.from) rest.push({ from: at, to: week.from });
    weeks.push(week);
    at = week.to;
  };
  let start = begins;
  for (const { from: changed } of stretches.slice(1)) {
    const week = weekOf(changed);
    if (changed <= start || week >= ends) continue;
    take({ from: start, to: week });
    start = changed === week ? week : week + WEEK_MS;
  }
  take({ from: start, to: ends });
  rest.push({ from: at, to: Infinity });
  return { weeks, rest };
}
