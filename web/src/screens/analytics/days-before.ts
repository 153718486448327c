import { dayBefore } from '../../parts/workspace-days.ts';

const DAY_MS = 86_400_000;

/** The days right before a range, as many as it has. */
export interface DaysBefore {
  readonly first: string;
  readonly last: string;
  /** How many. */
  readonly count: number;
}

/** The days before a range, both ends of which belong to it; null: it has no first day, or ends before it begins. */
export function daysBefore(first: string | null, last: string): DaysBefore | null {
  if (first === null || first > last) return null;
  const count = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1;
  return { first: dayBefore(first, count), last: dayBefore(first, 1), count };
}

/** For each day of a range the calls of the day that stands at its place in the range before; null: those days have no calls. */
export function callsBefore(
  days: readonly string[],
  { count }: DaysBefore,
  daily: readonly { readonly date: string; readonly total_calls: number }[],
): readonly number[] | null {
  if (daily.every(({ total_calls: calls }) => calls === 0)) return null;
  const known = new Map(daily.map(({ date, total_calls: calls }) => [date, calls]));
  return days.map((day) => known.get(dayBefore(day, count)) ?? 0);
}
