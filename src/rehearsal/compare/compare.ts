import { resultOf, type JudgedCall } from '../judge/tally.ts';
import { lossChance, meanDifference, shareDifference, type Interval } from './paired.ts';

/** Two versions of an agent on the same callers. */
export interface Comparison {
  /** Calls that both versions could play. */
  readonly calls: number;
  readonly passed: { readonly before: number; readonly after: number } & Interval;
  /** Calls in which a detector found something. */
  readonly alarmed: { readonly before: number; readonly after: number } & Interval;
  /** Mean time to a reply, ms. */
  readonly replyMs: Interval;
  /** Why the new version is worse at 95 %; empty: it is not. */
  readonly reasons: readonly string[];
  /** Calls that passed before and do not now. */
  readonly worse: readonly number[];
}

/** For all three measures together: each alone may err in a third of the cases. */
const CHANCE = 0.05 / 3;
const Z_THIRD = 2.128;
/** Replies that are slower by less are not worse. */
const TOLERANCE_MS = 50;

/** Compares judged calls of two versions, number by number. A call that could not be played in either is left out. Pure. */
export function compare(before: readonly JudgedCall[], after: readonly JudgedCall[]): Comparison {
  const later = new Map(after.map((call) => [call.call, call]));
  const pairs = before.flatMap((old) => {
    const now = later.get(old.call);
    return now === undefined || old.failure !== null || now.failure !== null ? [] : [{ old, now }];
  });
  const isPassed = (call: JudgedCall): boolean => resultOf(call) === 'passed';
  const isQuiet = ({ alarms }: JudgedCall): boolean => alarms.length === 0;
  const passed = changeOf(pairs, isPassed);
  const quiet = changeOf(pairs, isQuiet);
  const times = pairs.flatMap(({ old, now }) =>
    old.replyMs === null || now.replyMs === null ? [] : [now.replyMs - old.replyMs],
  );
  const slower = meanDifference(times, Z_THIRD);
  const reasons = [
    ...(passed.isWorse
      ? [`${passed.lost} calls failed that passed before, ${passed.won} the other way`]
      : []),
    ...(quiet.isWorse
      ? [`${quiet.lost} calls have new alarms of detectors, ${quiet.won} have none any more`]
      : []),
    ...(slower.low > TOLERANCE_MS ? [`replies come ${Math.round(slower.difference)} ms later`] : []),
  ];
  const alarms = shareDifference(quiet.won, quiet.lost, pairs.length);
  return {
    calls: pairs.length,
    passed: {
      before: passed.before,
      after: passed.after,
      ...shareDifference(passed.lost, passed.won, pairs.length),
    },
    alarmed: { before: pairs.length - quiet.before, after: pairs.length - quiet.after, ...alarms },
    replyMs: meanDifference(times),
    reasons,
    worse: pairs.filter(({ old, now }) => isPassed(old) && !isPassed(now)).map(({ old }) => old.call),
  };
}

function changeOf(
  pairs: readonly { readonly old: JudgedCall; readonly now: JudgedCall }[],
  isGood: (call: JudgedCall) => boolean,
): { before: number; after: number; lost: number; won: number; isWorse: boolean } {
  const lost = pairs.filter(({ old, now }) => isGood(old) && !isGood(now)).length;
  const won = pairs.filter(({ old, now }) => !isGood(old) && isGood(now)).length;
  const before = pairs.filter(({ old }) => isGood(old)).length;
  return {
    before,
    after: before - lost + won,
    lost,
    won,
    isWorse: lost > won && lossChance(lost, won) < CHANCE,
  };
}
