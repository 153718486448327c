import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accepted,
  begun,
  disabled,
  DISABLED_AFTER_MS,
  enabled,
  isToBeDisabled,
  mayProbe,
  PROBE_AFTER_MS,
  refused,
  type Probing,
} from './recovery-schedule.ts';

const HOUR_MS = 3_600_000;

describe('the probes of a receiver', () => {
  it('wait longer each time, up to a day, and go on for 75 hours', () => {
    let state = begun(0);
    const times: number[] = [];
    while (state.probeAt !== null) {
      times.push(state.probeAt);
      state = refused(state, state.probeAt).next;
    }
    expect(times.map((at) => at / 60_000)).toEqual([5, 35, 155, 455, 1055, 1895, 3095, 4535]);
    expect(times.at(-1)).toBeGreaterThan(24 * HOUR_MS);
    expect(PROBE_AFTER_MS.toSorted((a, b) => a - b)).toEqual(PROBE_AFTER_MS);
  });

  it('begin again after a success, and the delivery that follows is sent at once', () => {
    const down = refused(refused(begun(0), 300_000).next, 2_100_000).next;
    expect(down.probes).toBe(2);
    const back = accepted(down, 5_000_000);
    expect([mayProbe(back, 5_000_000), back.probes]).toEqual([true, 0]);
    expect(refused(back, 5_000_100)).toEqual({
      next: {
        probes: 0,
        probeAt: 5_300_100,
        refusals: 1,
        isBack: false,
        failingFrom: 5_000_000,
        disabledAt: null,
      },
      drop: false,
    });
  });

  /** What may happen to an outage, in any order, with the time that passes before. */
  const history = fc.array(
    fc.record({
      what: fc.constantFrom('probe' as const, 'success' as const),
      answers: fc.boolean(),
      wait: fc.integer({ min: 0, max: 30 * HOUR_MS }),
    }),
    { maxLength: 60 },
  );

  it('never come early, never more than eight times without a success, and drop only what is refused thrice', () => {
    fc.assert(
      fc.property(history, (steps) => {
        let now = 0;
        let state: Probing = begun(now);
        let [sinceSuccess, refusals] = [0, 0];
        for (const { what, answers, wait } of steps) {
          now += wait;
          if (what === 'success') {
            state = accepted(state, now);
            sinceSuccess = 0;
            continue;
          }
          if (!mayProbe(state, now)) continue;
          if (answers) {
            state = { ...accepted(state, now), refusals: 0 };
            [sinceSuccess, refusals] = [0, 0];
            continue;
          }
          const wasBack = state.isBack;
          const { next, drop } = refused(state, now);
          refusals += wasBack ? 1 : 0;
          sinceSuccess += 1;
          expect(drop).toBe(refusals === 3);
          if (drop) refusals = 0;
          expect(sinceSuccess).toBeLessThanOrEqual(PROBE_AFTER_MS.length + 1);
          expect(next.probeAt === null || next.probeAt >= now + PROBE_AFTER_MS[0]!).toBe(true);
          state = next;
        }
      }),
    );
  });
});

describe('a receiver that accepts nothing', () => {
  const DAY_MS = 24 * HOUR_MS;

  it.each([
    [0, false],
    [5 * DAY_MS - 1, false],
    [5 * DAY_MS, true],
    [30 * DAY_MS, true],
  ])('whose last failure came %i ms after its first is disabled: %s', (lastFailedAt, isDue) =>
    expect(isToBeDisabled(begun(0), lastFailedAt)).toBe(isDue),
  );

  /** Failures of new events, successes, refused probes and what a person does, with the time that passes before each. */
  const history = fc.array(
    fc.record({
      what: fc.constantFrom('failure', 'failure', 'success', 'probe', 'enable'),
      wait: fc.integer({ min: 0, max: 3 * DAY_MS }),
    }),
    { maxLength: 80 },
  );

  it('is disabled exactly when five days lie between two failures without a success, and gets no probe then', () => {
    fc.assert(
      fc.property(history, (steps) => {
        let now = 0;
        let state: Probing = begun(now);
        /** What the rule says of the past: the first failure or what set the days back, and whether it is disabled. */
        let [from, isOff] = [0, false];
        for (const { what, wait } of steps) {
          now += wait;
          const isProbed = mayProbe(state, now);
          const isDue = isToBeDisabled(state, now);
          const isLong = !isOff && !state.isBack && now - from >= DISABLED_AFTER_MS;
          expect([isDue, isOff && isProbed]).toEqual([isLong, false]);
          if (what === 'success') {
            state = accepted(state, now);
            [from, isOff] = [now, false];
          } else if (what === 'enable' && isOff) {
            state = enabled(state, now);
            [from, isOff] = [now, false];
          } else if (what === 'probe' && isProbed) state = refused(state, now).next;
          else if (what === 'failure' && isDue) [state, isOff] = [disabled(state, now), true];
          expect(state.disabledAt !== null).toBe(isOff);
        }
      }),
    );
  });

  it('gets its oldest kept delivery at once when it is enabled', () =>
    expect(mayProbe(enabled(disabled(begun(0), DISABLED_AFTER_MS), 9), 9)).toBe(true));

  it('stays disabled when it refuses what a person sends it', () => {
    const off = disabled(begun(0), DISABLED_AFTER_MS);
    expect(refused(off, DISABLED_AFTER_MS + 1)).toEqual({ next: off, drop: false });
  });
});
