/** What the service sums of one hour of one weekday. */
export interface AnswerHour {
  readonly day: string;
  readonly hour: number;
  readonly calls: number;
  readonly answered: number;
}
export interface AnswerGrid {
  /** The hours with a call on any day. */
  readonly hours: readonly number[];
  /** The best answered share; 0 without an answer. */
  readonly best: number;
  readonly at: (day: string, hour: number) => AnswerHour | undefined;
}

/** Arranges the hours of a week for a table. */
export function answerGrid(sums: readonly AnswerHour[]): AnswerGrid {
  const byKey = new Map(sums.map((each) => [`${each.day} ${each.hour}`, each]));
  return {
    hours: [...new Set(sums.map(({ hour }) => hour))].toSorted((a, b) => a - b),
    best: Math.max(0, ...sums.map(({ calls, answered }) => answered / calls)),
    at: (day, hour) => byKey.get(`${day} ${hour}`),
  };
}

/** Fewer of both say nothing about an hour of a week. */
const [LEAST_DAYS, LEAST_CALLS] = [3, 50];

/** Whether the hours tell when people answer: calls of three days of the week, or fifty calls. */
export const isTelling = (sums: readonly AnswerHour[]): boolean =>
  new Set(sums.map(({ day }) => day)).size >= LEAST_DAYS ||
  sums.reduce((calls, sum) => calls + sum.calls, 0) >= LEAST_CALLS;
