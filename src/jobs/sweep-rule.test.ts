import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BLIND_AFTER_MS, BLIND_SWEEP_MS, SweepRule } from './sweep-rule.ts';

const CHECK_MS = 2_500;

type Look = 'succeeds' | 'fails' | 'hangs';

/** Runs a look and a check every 2.5 s of virtual time; returns when the rule swept. */
function swept(looks: readonly Look[]): number[] {
  const rule = new SweepRule(0);
  const sweeps: number[] = [];
  for (const [nth, look] of looks.entries()) {
    const at = (nth + 1) * CHECK_MS;
    if (look === 'fails') rule.failed();
    if (look === 'succeeds' ? rule.saw(at) : rule.isDue(at)) sweeps.push(at);
  }
  return sweeps;
}

const of = (look: Look, count: number): Look[] => Array.from({ length: count }, () => look);
const look = fc.constantFrom<Look>('succeeds', 'fails', 'hangs');
const looks = fc
  .array(fc.tuple(look, fc.integer({ min: 1, max: 40 })), { minLength: 1, maxLength: 8 })
  .map((runs) => runs.flatMap(([what, count]) => of(what, count)));

describe('the sweep of all queues', () => {
  it('does not happen while every look succeeds', () => {
    expect(swept(of('succeeds', 10_000))).toEqual([]);
  });

  it('happens at once when a look succeeds after one that failed', () => {
    expect(swept([...of('succeeds', 3), 'fails', 'succeeds', ...of('succeeds', 100)])).toEqual([12_500]);
  });

  it('happens when looks hang for ten seconds, every thirty seconds from then on, and at once when they are back', () => {
    expect(swept([...of('succeeds', 4), ...of('hangs', 20), 'succeeds', ...of('succeeds', 100)])).toEqual([
      20_000, 50_000, 62_500,
    ]);
  });

  it('is never further away than ten seconds and a check from the last look that succeeded, or thirty from the last sweep', () => {
    fc.assert(
      fc.property(looks, (all) => {
        const sweeps = new Set(swept(all));
        let reachedAt = 0;
        let limit = BLIND_AFTER_MS;
        for (const [nth, what] of all.entries()) {
          const at = (nth + 1) * CHECK_MS;
          if (what === 'succeeds') [reachedAt, limit] = [at, BLIND_AFTER_MS];
          else if (sweeps.has(at)) [reachedAt, limit] = [at, BLIND_SWEEP_MS];
          expect(at - reachedAt).toBeLessThan(Math.max(limit, BLIND_SWEEP_MS) + CHECK_MS);
        }
      }),
    );
  });

  it('follows every interruption at its first look that succeeds', () => {
    fc.assert(
      fc.property(looks, (all) => {
        const sweeps = new Set(swept(all));
        const succeeded = all.flatMap((what, nth) => (what === 'succeeds' && nth > 0 ? [nth] : []));
        const sweptAfter = (before: Look): boolean[] =>
          succeeded.filter((nth) => all[nth - 1] === before).map((nth) => sweeps.has((nth + 1) * CHECK_MS));
        expect([...new Set(sweptAfter('fails'))]).not.toContain(false);
        expect([...new Set(sweptAfter('succeeds'))]).not.toContain(true);
      }),
    );
  });
});
