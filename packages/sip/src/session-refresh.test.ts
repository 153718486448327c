import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { glareMs } from './glare.ts';
import { type SessionEffect, type SessionEvent, type SessionState, stepSession } from './session-refresh.ts';

const agreed = (
  timer: { seconds: number; weRefresh: boolean } | null,
  takesUpdate = true,
): SessionEvent & { kind: 'agreed' } => ({ kind: 'agreed', timer, takesUpdate, minSeconds: 90 });
const refusedWith = (status: number | null, minSeconds: number | null = null): SessionEvent => ({
  kind: 'refused',
  status,
  minSeconds,
  retryMs: 3_000,
});

/** Steps through events from a dialog without a session; the effects of the last one. */
function after(...events: SessionEvent[]): { state: SessionState; effects: readonly SessionEffect[] } {
  let step: { state: SessionState; effects: readonly SessionEffect[] } = {
    state: { name: 'none' },
    effects: [],
  };
  for (const event of events) step = stepSession(step.state, event);
  return step;
}

const ours = agreed({ seconds: 1_800, weRefresh: true });

describe('refresh of a session', () => {
  test('we refresh at half of the interval, and the session ends 32 s before it expires', () => {
    expect(after(ours).effects).toEqual([
      { kind: 'refreshIn', ms: 900_000 },
      { kind: 'endIn', ms: 1_768_000 },
    ]);
    expect(after(ours, { kind: 'due' }).effects).toEqual([
      { kind: 'refresh', method: 'UPDATE', seconds: 1_800, minSeconds: 90 },
    ]);
    expect(after(ours, { kind: 'due' }, { kind: 'expired' }).effects).toContainEqual({ kind: 'end' });
  });
  test('a peer that refreshes gets no refresh from us', () => {
    const theirs = agreed({ seconds: 90, weRefresh: false });
    expect(after(theirs).effects).toEqual([
      { kind: 'refreshIn', ms: null },
      { kind: 'endIn', ms: 60_000 },
    ]);
    expect(after(theirs, { kind: 'due' }).effects).toEqual([]);
  });
  test('a 422 is followed at once by a refresh with the demanded interval', () => {
    expect(after(ours, { kind: 'due' }, refusedWith(422, 3_600)).effects).toEqual([
      { kind: 'refresh', method: 'UPDATE', seconds: 3_600, minSeconds: 3_600 },
    ]);
  });
  test('a 422 that demands no longer interval waits like other refusals', () => {
    const waits = [{ kind: 'refreshIn', ms: 3_000 }];
    for (const event of [refusedWith(422, 90), refusedWith(422), refusedWith(491), refusedWith(null)])
      expect(after(ours, { kind: 'due' }, event).effects).toEqual(waits);
  });
  test('an UPDATE that the peer does not know becomes a re-INVITE', () => {
    expect(after(ours, { kind: 'due' }, refusedWith(405)).effects).toMatchObject([
      { kind: 'refresh', method: 'INVITE' },
    ]);
    expect(after(agreed({ seconds: 90, weRefresh: true }, false), { kind: 'due' }).effects).toMatchObject([
      { kind: 'refresh', method: 'INVITE' },
    ]);
  });
  test('after another refusal of UPDATE the next refresh is a re-INVITE', () => {
    const next = (status: number | null) =>
      after(ours, { kind: 'due' }, refusedWith(status), { kind: 'due' }).effects;
    for (const status of [403, 488, 500]) expect(next(status)).toMatchObject([{ method: 'INVITE' }]);
    for (const status of [null, 491]) expect(next(status)).toMatchObject([{ method: 'UPDATE' }]);
  });
  test('a 2xx without a timer stops both timers', () => {
    const step = after(ours, { kind: 'due' }, agreed(null));
    expect(step.state.name).toBe('none');
    expect(step.effects).toEqual([
      { kind: 'refreshIn', ms: null },
      { kind: 'endIn', ms: null },
    ]);
  });

  const event = fc.oneof(
    fc.record({
      kind: fc.constant('agreed' as const),
      timer: fc.option(
        fc.record({ seconds: fc.integer({ min: 90, max: 2 ** 31 - 1 }), weRefresh: fc.boolean() }),
      ),
      takesUpdate: fc.boolean(),
      minSeconds: fc.constant(90),
    }),
    fc.constant({ kind: 'due' as const }),
    fc.constant({ kind: 'expired' as const }),
    fc.record({
      kind: fc.constant('refused' as const),
      status: fc.constantFrom(null, 405, 422, 491, 500, 501),
      minSeconds: fc.option(fc.integer({ min: 0, max: 86_400 })),
      retryMs: fc.integer({ min: 0, max: 60_000 }),
    }),
  );
  /** What is wrong with the effects of one step. */
  function faultsOf(before: SessionState, effects: readonly SessionEffect[], demanded: number): string[] {
    return effects.flatMap((effect) => {
      if (before.name === 'ended') return [`${effect.kind} after the end`];
      if (effect.kind === 'end') return [];
      if (effect.kind !== 'refresh') {
        const isHeld = effect.ms === null || (effect.ms >= 0 && effect.ms < 2 ** 31);
        return isHeld ? [] : [`a timer of ${effect.ms} ms`];
      }
      if (before.name !== 'waiting' && before.name !== 'refreshing')
        return ['a refresh of no session of ours'];
      return effect.seconds < demanded ? [`${effect.seconds} s where ${demanded} were demanded`] : [];
    });
  }
  test('for any events: one end, no refresh without a session of ours, timers that setTimeout can hold', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let state: SessionState = { name: 'none' };
        const ends: SessionEffect[] = [];
        const faults: string[] = [];
        for (const next of events) {
          const isDemand = next.kind === 'refused' && next.status === 422 && state.name === 'refreshing';
          const { effects, ...step } = stepSession(state, next);
          faults.push(...faultsOf(state, effects, isDemand ? (next.minSeconds ?? 0) : 0));
          ends.push(...effects.filter(({ kind }) => kind === 'end'));
          ({ state } = step);
        }
        expect(faults).toEqual([]);
        expect(ends.length).toBeLessThanOrEqual(1);
      }),
    );
  });
  test('requests that met wait apart: 2.1 to 4 s with our Call-ID, else up to 2 s, in steps of 10 ms', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (random) => {
        const [owner, other] = [glareMs(true, random), glareMs(false, random)];
        expect(owner >= 2_100 && owner <= 4_000 && owner % 10 === 0).toBe(true);
        expect(other >= 0 && other <= 2_000 && other % 10 === 0).toBe(true);
      }),
    );
  });
});
