import { dayBefore } from '../../parts/workspace-days.ts';

/** The days that Home counts: those of the workspace's zone, as analytics do. */
export type Range = 'today' | 'week' | 'month';
const DAYS: Readonly<Record<Range, number>> = { today: 1, week: 7, month: 30 };
/** Days of the small line beside a figure of today. */
const COURSE_DAYS = 14;

export interface Day {
  readonly date: string;
  readonly total_calls: number;
  readonly total_attempts: number;
  readonly answered_attempts: number;
}
interface Sums {
  readonly calls: number;
  readonly attempts: number;
  readonly answered: number;
}
export interface Figures extends Sums {
  /** The days before, as many; for today the same weekday of the week before. */
  readonly before: Sums;
  /** Oldest first. */
  readonly course: readonly { readonly date: string; readonly calls: number; readonly share: number }[];
}

/** The first day of a range, `YYYY-MM-DD`. */
export const firstDay = (range: Range, today: string): string => dayBefore(today, DAYS[range] - 1);

/** The first day that the figures of every range need. */
export const earliestDay = (today: string): string => dayBefore(today, 2 * DAYS.month - 1);

/** The figures of a range, what they were before, and their course by day. Days without calls may be missing. */
export function figuresOf(daily: readonly Day[], range: Range, today: string): Figures {
  const known = new Map(daily.map((day) => [day.date, day]));
  const count = DAYS[range];
  const sum = (fromAgo: number): Sums =>
    Array.from({ length: count }, (_, index) => known.get(dayBefore(today, fromAgo + index))).reduce<Sums>(
      (sums, day) => ({
        calls: sums.calls + (day?.total_calls ?? 0),
        attempts: sums.attempts + (day?.total_attempts ?? 0),
        answered: sums.answered + (day?.answered_attempts ?? 0),
      }),
      { calls: 0, attempts: 0, answered: 0 },
    );
  const length = range === 'today' ? COURSE_DAYS : count;
  return {
    ...sum(0),
    before: sum(range === 'today' ? 7 : count),
    course: Array.from({ length }, (_, index) => {
      const date = dayBefore(today, length - 1 - index);
      const day = known.get(date);
      const attempts = day?.total_attempts ?? 0;
      return {
        date,
        calls: day?.total_calls ?? 0,
        share: attempts === 0 ? 0 : (day?.answered_attempts ?? 0) / attempts,
      };
    }),
  };
}

/** How much more or less than before, as a share; null: nothing before to compare with. */
export const changeOf = (now: number, before: number): number | null =>
  before === 0 ? null : (now - before) / before;
