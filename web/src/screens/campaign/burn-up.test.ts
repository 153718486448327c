import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { burnUp } from './burn-up.ts';

const BEGIN = Date.parse('2026-01-05T09:00:00Z');
const MINUTE = 60_000;
const quarter = (minutes: number, calls: number, answered = 0) => ({
  at: new Date(BEGIN + minutes * MINUTE).toISOString(),
  calls,
  answered,
});

describe('the attempts of a campaign over time', () => {
  it('add up by quarter of an hour, those without a call included', () => {
    expect(burnUp([quarter(0, 4, 1), quarter(30, 2, 2)], null, BEGIN)).toEqual([
      { at: BEGIN, calls: 4, answered: 1, expected: null },
      { at: BEGIN + 15 * MINUTE, calls: 4, answered: 1, expected: null },
      { at: BEGIN + 30 * MINUTE, calls: 6, answered: 3, expected: null },
    ]);
  });

  it('go on from now to the expected end', () => {
    const now = BEGIN + 20 * MINUTE;
    const steps = burnUp([quarter(0, 4), quarter(15, 2)], { calls: 6, endsAt: BEGIN + 60 * MINUTE }, now);
    expect(steps.map(({ calls, expected }) => [calls, expected])).toEqual([
      [4, null],
      [6, 6],
      [null, 10],
      [null, 12],
      [null, 12],
    ]);
  });

  it('are nothing before the first one', () => {
    expect(burnUp([], { calls: 5, endsAt: BEGIN }, BEGIN)).toEqual([]);
  });

  it('are few steps that never fall and end with all of them', () => {
    const gaps = fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 50 })), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(gaps, fc.integer({ min: 0, max: 10_000 }), fc.boolean(), (list, minutes, isRunning) => {
        let at = 0;
        const quarters = list.map(([gap, calls]) => {
          at += gap * 15;
          return quarter(at, calls);
        });
        const end = BEGIN + at * MINUTE;
        const expected = isRunning ? { calls: 7, endsAt: end + minutes * MINUTE } : null;
        const steps = burnUp(quarters, expected, end);
        const made = steps.flatMap(({ calls }) => (calls === null ? [] : [calls]));
        expect(steps.length).toBeLessThanOrEqual(61);
        expect(made).toEqual(made.toSorted((a, b) => a - b));
        expect(made.at(-1)).toBe(list.reduce((sum, [, calls]) => sum + calls, 0));
        const hoped = steps.flatMap(({ expected: value }) => (value === null ? [] : [value]));
        expect(hoped).toEqual(hoped.toSorted((a, b) => a - b));
      }),
    );
  });
});
