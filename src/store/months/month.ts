/** A calendar month in UTC, as 'YYYY-MM'. */
export type Month = string;

export const monthOf = (at: Date): Month => at.toISOString().slice(0, 7);

/** The beginning of the month `offset` months after `month`. */
export function beginningOf(month: Month, offset = 0): Date {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + offset));
}

export const monthAfter = (month: Month, offset = 1): Month => monthOf(beginningOf(month, offset));

/** The least id of a time: a UUID v7 begins with its creation time in milliseconds. */
export const leastId = (at: Date): string =>
  at
    .getTime()
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})(.{4})$/, '$1-$2-0000-0000-000000000000');

/** The month in which an id was made. */
export const monthOfId = (id: string): Month =>
  monthOf(new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16)));

/** The table of one month. */
export const partOf = (table: string, month: Month): string => `${table}_${month.replace('-', '_')}`;

/** Behind the names of what the rows from before the split keep. */
export const SUFFIX = '_before';

/** The table of the rows from before the split. */
export const beforeOf = (table: string): string => `${table}${SUFFIX}`;

/** The table of rows that no other takes. */
export const otherOf = (table: string): string => `${table}_other`;

/** Months that have a table before they begin. */
const AHEAD = 1;

/** The months from `first` on that have a table at `now`. */
export function monthsUntilAhead(first: Month, now: Date): Month[] {
  const months: Month[] = [];
  const last = monthAfter(monthOf(now), AHEAD);
  for (let month = first; month <= last; month = monthAfter(month)) months.push(month);
  return months;
}

/** The first month that is kept: `keep` whole months before that of `now`. */
export const firstKept = (now: Date, keep: number): Month => monthAfter(monthOf(now), -keep);

/** Where the rows of before a split end: the first month that begins at least two days later. */
export const firstSplit = (now: Date): Month => monthAfter(monthOf(new Date(now.getTime() + 2 * 86_400_000)));
