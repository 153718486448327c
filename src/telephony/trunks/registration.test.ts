import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRegistered, newRegistration, stepRegistration } from './registration.ts';
import type { RegistrationEffect, RegistrationEvent, RegistrationState } from './registration.ts';

function run(events: readonly RegistrationEvent[]): {
  state: RegistrationState;
  effects: RegistrationEffect[];
} {
  let state: RegistrationState = newRegistration;
  const effects: RegistrationEffect[] = [];
  for (const event of events) {
    const step = stepRegistration(state, event);
    state = step.state;
    effects.push(...step.effects);
  }
  return { state, effects };
}

const failed = (
  status: number | null,
  retryAfterSeconds: number | null = null,
  jitter = 1,
): RegistrationEvent => ({
  kind: 'failed',
  status,
  retryAfterSeconds,
  jitter,
});
const accepted: RegistrationEvent = { kind: 'accepted', grantedSeconds: 100, jitter: 0 };

describe('registration', () => {
  test('registers, refreshes with a quarter of the time left and stays registered meanwhile', () => {
    const { state, effects } = run([{ kind: 'start' }, accepted, { kind: 'due' }]);
    expect(effects).toEqual([
      { kind: 'register', expiresSeconds: 300 },
      { kind: 'wait', ms: 75_000 },
      { kind: 'register', expiresSeconds: 300 },
    ]);
    expect(isRegistered(state)).toBe(true);
  });
  test('423 raises Expires and registers again at once', () => {
    const { effects } = run([{ kind: 'start' }, { kind: 'tooBrief', minSeconds: 900, jitter: 0 }]);
    expect(effects.at(-1)).toEqual({ kind: 'register', expiresSeconds: 900 });
  });
  test('a 423 with a Min-Expires not above ours, or above the limit, is a failure', () => {
    for (const minSeconds of [0, 300, 999_999]) {
      expect(run([{ kind: 'start' }, { kind: 'tooBrief', minSeconds, jitter: 0 }]).state.name).toBe(
        'waiting',
      );
    }
  });
  test('backs off exponentially with jitter up to five minutes', () => {
    let state = stepRegistration(newRegistration, { kind: 'start' }).state;
    const waits: number[] = [];
    for (let i = 0; i < 10; i++) {
      const step = stepRegistration(state, failed(null));
      for (const effect of step.effects) if (effect.kind === 'wait') waits.push(effect.ms);
      state = stepRegistration(step.state, { kind: 'due' }).state;
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map((s) => s * 1000));
    expect(run([{ kind: 'start' }, failed(null, null, 0)]).effects.at(-1)).toEqual({
      kind: 'wait',
      ms: 1_000,
    });
  });
  test('waits a minute after refused credentials and honours Retry-After', () => {
    expect(run([{ kind: 'start' }, failed(403)]).effects.at(-1)).toEqual({ kind: 'wait', ms: 60_000 });
    expect(run([{ kind: 'start' }, failed(503, 120)]).effects.at(-1)).toEqual({ kind: 'wait', ms: 120_000 });
  });
  test('stop un-registers and ends', () => {
    const { state, effects } = run([
      { kind: 'start' },
      accepted,
      { kind: 'stop' },
      { kind: 'unregisterDone' },
    ]);
    expect(effects.slice(-2)).toEqual([{ kind: 'cancelWait' }, { kind: 'register', expiresSeconds: 0 }]);
    expect(state.name).toBe('unregistered');
    expect(run([{ kind: 'stop' }]).state.name).toBe('unregistered');
  });
  test('any event order: no effect is lost before stop, and an unregistered machine has no effects', () => {
    const event: fc.Arbitrary<RegistrationEvent> = fc.oneof(
      fc.constant<RegistrationEvent>({ kind: 'due' }),
      fc.record({
        kind: fc.constant('accepted' as const),
        grantedSeconds: fc.nat(100_000),
        jitter: fc.double({ min: 0, max: 0.99, noNaN: true }),
      }),
      fc.record({
        kind: fc.constant('tooBrief' as const),
        minSeconds: fc.nat(100_000),
        jitter: fc.constant(0.5),
      }),
      fc.record({
        kind: fc.constant('failed' as const),
        status: fc.constantFrom(null, 403, 500),
        retryAfterSeconds: fc.constantFrom(null, 5),
        jitter: fc.constant(0.5),
      }),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        let state = stepRegistration(newRegistration, { kind: 'start' }).state;
        for (const e of events) {
          const step = stepRegistration(state, e);
          const idle = step.effects.length === 0;
          expect(!idle || step.state === state).toBe(true);
          expect(step.effects.every((effect) => effect.kind !== 'wait' || effect.ms > 0)).toBe(true);
          state = step.state;
        }
        const left = stepRegistration(stepRegistration(state, { kind: 'stop' }).state, {
          kind: 'unregisterDone',
        }).state;
        expect(left.name).toBe('unregistered');
        for (const e of events) expect(stepRegistration(left, e).effects).toEqual([]);
      }),
      { seed: 3 },
    );
  });
});
