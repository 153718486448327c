import { array, assert, constantFrom, double, integer, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alertChange, type AlertChange, type AlertRule, type Measured } from './alert.ts';

const SCORE: AlertRule = { measure: 'score_below', threshold: 70, margin: 5, minimumCalls: 20 };
const SHARE: AlertRule = { measure: 'findings_above', threshold: 10, margin: 4, minimumCalls: 20 };
const of = (value: number | null, calls = 20): Measured => ({ calls, value });

const anyRule = record({
  measure: constantFrom('score_below' as const, 'findings_above' as const),
  threshold: integer({ min: 0, max: 100 }),
  margin: integer({ min: 0, max: 50 }),
  minimumCalls: integer({ min: 1, max: 50 }),
});
const anyValues = array(
  record({ calls: integer({ min: 1, max: 100 }), value: double({ min: 0, max: 100, noNaN: true }) }),
  { maxLength: 60 },
);
/** What the rule does over the windows, one after the other. */
function changesOf(rule: AlertRule, windows: readonly Measured[]): AlertChange[] {
  let isRaised = false;
  return windows.flatMap((measured) => {
    const change = alertChange(rule, isRaised, measured);
    if (change === null) return [];
    isRaised = change === 'raised';
    return [change];
  });
}

describe('alertChange', () => {
  it.each([
    ['a score below the threshold raises it', SCORE, false, of(69.9), 'raised'],
    ['a score at the threshold does not', SCORE, false, of(70), null],
    ['a score within the margin leaves it raised', SCORE, true, of(74.9), null],
    ['a score past the margin clears it', SCORE, true, of(75), 'cleared'],
    ['a share above the threshold raises it', SHARE, false, of(10.1), 'raised'],
    ['a share within the margin leaves it raised', SHARE, true, of(6.1), null],
    ['a share past the margin clears it', SHARE, true, of(6), 'cleared'],
    ['too few calls do not raise it', SCORE, false, of(0, 19), null],
    ['too few calls do not clear it', SCORE, true, of(100, 19), null],
    ['a window without calls changes nothing', SCORE, true, of(null, 0), null],
    ['a margin beyond 100 points still lets it clear', { ...SCORE, threshold: 98 }, true, of(100), 'cleared'],
    ['a margin below 0 % still lets it clear', { ...SHARE, threshold: 1 }, true, of(0), 'cleared'],
  ] as const)('%s', (_, rule, isRaised, measured, change) => {
    expect(alertChange(rule, isRaised, measured)).toBe(change);
  });

  it('raises and clears in turn, and never over too few calls', () => {
    assert(
      property(anyRule, anyValues, (rule, windows) => {
        const changes = changesOf(rule, windows);
        expect(changes).toEqual(changes.map((_, at) => (at % 2 === 0 ? 'raised' : 'cleared')));
        const enough = windows.filter(({ calls }) => calls >= rule.minimumCalls);
        expect(changesOf(rule, enough)).toEqual(changes);
      }),
    );
  });

  it('is neither raised nor cleared by a value between the threshold and the margin', () => {
    const rule = record({
      measure: constantFrom('score_below' as const, 'findings_above' as const),
      threshold: integer({ min: 30, max: 70 }),
      margin: integer({ min: 1, max: 30 }),
      minimumCalls: integer({ min: 1, max: 50 }),
    });
    const percent = integer({ min: 1, max: 99 });
    assert(
      property(rule, percent, constantFrom(true, false), (of, share, isRaised) => {
        const away = (of.margin * share) / 100;
        const value = of.threshold + (of.measure === 'score_below' ? away : -away);
        expect(alertChange(of, isRaised, { calls: of.minimumCalls, value })).toBe(null);
      }),
    );
  });

  it('changes at most once over windows of one value', () => {
    assert(
      property(anyRule, integer({ min: 0, max: 100 }), (rule, value) => {
        const same = Array.from({ length: 20 }, () => ({ calls: rule.minimumCalls, value }));
        expect(changesOf(rule, same).length).toBeLessThanOrEqual(1);
      }),
    );
  });
});
