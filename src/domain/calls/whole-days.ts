import { dayNumber, dayText, startOfDayNumber } from '@callwright/language';
import type { Span, SplitByDay } from '../../store/calls/day-split.ts';

/**
 * Splits a span into its whole days in a zone, both inclusive and null where the span is open, and the parts of days at its
 * ends. Null: there is no whole day in it.
 */
export const splitByDay: SplitByDay = (since, before, zone) => {
  const first = since === null ? null : firstDayFrom(zone, since.getTime());
  const end = before === null ? null : dayNumber(zone, before.getTime());
  if (first !== null && end !== null && first >= end) return null;
  const edge = (from: Date, to: Date): readonly Span[] =>
    from.getTime() === to.getTime() ? [] : [{ since: from, before: to }];
  const startOf = (day: number): Date => new Date(startOfDayNumber(zone, day));
  return {
    days: {
      firstDay: first === null ? null : dayText(first),
      lastDay: end === null ? null : dayText(end - 1),
    },
    edges: [
      ...(since === null || first === null ? [] : edge(since, startOf(first))),
      ...(before === null || end === null ? [] : edge(startOf(end), before)),
    ],
  };
};

/** The first day that begins at `at` or later. */
function firstDayFrom(zone: string, at: number): number {
  const day = dayNumber(zone, at);
  return startOfDayNumber(zone, day) === at ? day : day + 1;
}
