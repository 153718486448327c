import { LOCALE } from '../../words/language.ts';

const DAY_MS = 86_400_000;
const DAY = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** A day `YYYY-MM-DD` for people. */
export const dayName = (date: string): string => DAY.format(new Date(`${date}T00:00:00Z`));

/** Bars of more days would have no width. */
const MAX_DAYS = 400;

/**
 * The days from `first` to `last`, oldest first, those without calls included: the newest MAX_DAYS. Null: the first day
 * with calls.
 */
export function withEmptyDays(
  days: readonly { readonly date: string; readonly total_calls: number; readonly answered_calls: number }[],
  first: string | null,
  last: string,
): { date: string; calls: number; answered: number }[] {
  const known = new Map(days.map((day) => [day.date, day]));
  const end = Date.parse(last);
  const start = Math.max(Date.parse(first ?? days[0]?.date ?? last), end - (MAX_DAYS - 1) * DAY_MS);
  return Array.from({ length: Math.max(0, Math.round((end - start) / DAY_MS) + 1) }, (_, index) => {
    const date = new Date(start + index * DAY_MS).toISOString().slice(0, 10);
    const day = known.get(date);
    return { date, calls: day?.total_calls ?? 0, answered: day?.answered_calls ?? 0 };
  });
}
