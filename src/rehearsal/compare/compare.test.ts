import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draw } from '../draw.ts';
import { interactionOf } from '../judge/interaction.ts';
import type { JudgedCall } from '../judge/tally.ts';
import { compare } from './compare.ts';
import { lossChance, meanDifference, shareDifference } from './paired.ts';

const call = (number: number, isPassed: boolean, more: Partial<JudgedCall> = {}): JudgedCall => ({
  scenario: 0,
  call: number,
  seed: number,
  verdicts: [{ result: isPassed ? 'held' : 'not_held', reason: '' }],
  alarms: [],
  replyMs: 1_000,
  interaction: interactionOf({ agent: [], caller: [] }),
  failure: null,
  ...more,
});
const calls = (count: number, of: (at: number) => JudgedCall): JudgedCall[] =>
  Array.from({ length: count }, (_, at) => of(at));

describe('statistics of pairs', () => {
  it('have the chances of the sign test', () => {
    expect(lossChance(0, 0)).toBe(1);
    expect(lossChance(5, 0)).toBeCloseTo(1 / 32, 12);
    // At least 8 of 10 heads: 56 of 1,024 ways.
    expect(lossChance(8, 2)).toBeCloseTo(56 / 1_024, 12);
  });

  it('have intervals that hold the difference, and are narrower with more calls', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.nat(50), fc.nat(900), (lost, won, same) => {
        const all = lost + won + same + 1;
        const { difference, low, high } = shareDifference(lost, won, all);
        expect(low).toBeLessThanOrEqual(difference + 0.02);
        expect(high).toBeGreaterThanOrEqual(difference - 0.02);
        const more = shareDifference(4 * lost, 4 * won, 4 * all);
        expect(more.high - more.low).toBeLessThan(high - low);
      }),
    );
    expect(meanDifference([10, 20, 30])).toMatchObject({ difference: 20 });
    expect(meanDifference([10, 20, 30]).low).toBeCloseTo(20 - (1.96 * 10) / Math.sqrt(3), 9);
    expect(meanDifference([])).toEqual({ difference: 0, low: 0, high: 0 });
  });
});

describe('a comparison', () => {
  it('finds a version worse that fails calls which passed', () => {
    const before = calls(100, (at) => call(at, true));
    const after = calls(100, (at) => call(at, at >= 6));
    const found = compare(before, after);
    expect(found).toMatchObject({
      calls: 100,
      passed: { before: 100, after: 94, difference: -0.06 },
      worse: [0, 1, 2, 3, 4, 5],
    });
    expect(found.reasons).toEqual(['6 calls failed that passed before, 0 the other way']);
    expect(found.passed.high).toBeLessThan(0);
  });

  it('finds slower replies and new alarms', () => {
    const alarms = [{ detector: 'dead_air' as const, at: 0, detail: '' }];
    const before = calls(60, (at) => call(at, true, { replyMs: 900 + at }));
    expect(
      compare(
        before,
        calls(60, (at) => call(at, true, { replyMs: 1_100 + at + (at % 3) })),
      ).reasons,
    ).toEqual(['replies come 201 ms later']);
    expect(
      compare(
        before,
        calls(60, (at) => call(at, true, { replyMs: 930 + at })),
      ).reasons,
    ).toEqual([]);
    expect(
      compare(
        before,
        calls(60, (at) => call(at, true, { replyMs: 900 + at, alarms: at < 7 ? alarms : [] })),
      ).reasons,
    ).toEqual(['7 calls have new alarms of detectors, 0 have none any more']);
  });

  it('leaves out calls that one version could not play', () => {
    const before = calls(10, (at) => call(at, true));
    const after = calls(10, (at) => call(at, true, at < 4 ? { failure: 'no answer' } : {}));
    expect(compare(before, after)).toMatchObject({ calls: 6, reasons: [] });
  });

  it('calls an unchanged version worse in at most one of twenty runs, also with a model of chance', () => {
    let alarms = 0;
    for (let run = 0; run < 1_000; run++) {
      const version = (name: string) =>
        calls(200, (at) =>
          call(at, draw(run, name, at) < 0.9, {
            replyMs: 1_000 + 400 * draw(run, name, 'ms', at),
            alarms: draw(run, name, 'alarm', at) < 0.05 ? [{ detector: 'loop', at: 0, detail: '' }] : [],
          }),
        );
      if (compare(version('a'), version('b')).reasons.length > 0) alarms += 1;
    }
    expect(alarms).toBeLessThanOrEqual(50);
  });
});
