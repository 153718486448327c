const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Lengths of a step, shortest first. The service counts by the quarter of an hour. */
const STEPS = [
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  DAY_MS,
  7 * DAY_MS,
];
const MOST_STEPS = 60;

/** Ended attempts of a quarter of an hour. */
export interface Quarter {
  /** ISO. */
  readonly at: string;
  readonly calls: number;
  readonly answered: number;
}
/** What is expected: so many attempts more, the last of which ends then (epoch ms). */
export interface Expected {
  readonly calls: number;
  readonly endsAt: number;
}
/** The sums at the end of a step. */
export interface BurnStep {
  /** Epoch ms. */
  readonly at: number;
  /** Null: it is to come. */
  readonly calls: number | null;
  readonly answered: number | null;
  /** Attempts that are expected by then; null: before now, or nothing is known. */
  readonly expected: number | null;
}

/**
 * Attempts, added up from the first quarter of an hour with a call until now, and those expected to the end, in equal
 * steps. Empty: no attempt has ended. The quarters are the oldest first.
 */
export function burnUp(
  quarters: readonly Quarter[],
  expected: Expected | null,
  nowMs: number,
): readonly BurnStep[] {
  const [first, newest] = [quarters[0], quarters.at(-1)];
  if (first === undefined || newest === undefined) return [];
  const begin = Date.parse(first.at);
  const last = Math.max(Date.parse(newest.at), expected === null ? 0 : nowMs);
  const end = Math.max(last, expected?.endsAt ?? 0);
  const step =
    STEPS.find((each) => (end - begin) / each < MOST_STEPS) ?? Math.ceil((end - begin) / MOST_STEPS);
  const made = quarters.reduce((sum, { calls }) => sum + calls, 0);
  const steps: BurnStep[] = [];
  let [index, calls, answered] = [0, 0, 0];
  for (let at = begin; at <= end; at += step) {
    const next = at + step;
    for (const each of quarters.slice(index)) {
      if (Date.parse(each.at) >= next) break;
      calls += each.calls;
      answered += each.answered;
      index += 1;
    }
    const isPast = at <= last;
    steps.push({
      at,
      calls: isPast ? calls : null,
      answered: isPast ? answered : null,
      // The two lines meet in the step of now.
      expected: expected === null || next <= last ? null : isPast ? made : by(next, made, expected, last),
    });
  }
  return steps;
}

/** The attempts that are expected by `at`, as many in each hour from `from` to the end. */
const by = (at: number, made: number, { calls, endsAt }: Expected, from: number): number =>
  Math.round(made + calls * Math.min(1, (at - from) / Math.max(1, endsAt - from)));
