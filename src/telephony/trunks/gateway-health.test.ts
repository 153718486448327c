import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type HealthEvent, mayCall, newGateway, probePauseMs, stepHealth } from './gateway-health.ts';

const after = (...events: HealthEvent[]) => events.reduce(stepHealth, newGateway);

describe('health of a gateway', () => {
  test('is suspect after one unanswered probe, down after three, healthy after one answer', () => {
    expect(after('unanswered')).toEqual({ state: 'suspect', failures: 1 });
    expect(after('unanswered', 'unanswered')).toEqual({ state: 'suspect', failures: 2 });
    expect(after('unanswered', 'unanswered', 'unanswered')).toEqual({ state: 'down', failures: 3 });
    expect(after('unanswered', 'unanswered', 'unanswered', 'answered')).toEqual({
      state: 'healthy',
      failures: 0,
    });
  });
  test('a silent call makes it suspect, and leaves one that is down as it is', () => {
    expect(after('answered', 'silent')).toEqual({ state: 'suspect', failures: 0 });
    expect(after('unanswered', 'unanswered', 'unanswered', 'silent').state).toBe('down');
  });
  test('is probed after 2, 4 and 8 seconds while it is not healthy, never less often than a healthy one', () => {
    const pauses = [1, 2, 3, 4].map((n) =>
      probePauseMs(after(...Array.from({ length: n }, () => 'unanswered' as const)), 30_000),
    );
    expect(pauses).toEqual([2_000, 4_000, 8_000, 8_000]);
    expect(probePauseMs(after('answered'), 30_000)).toBe(30_000);
    expect(probePauseMs(after('unanswered', 'unanswered'), 3_000)).toBe(3_000);
  });
  test('only an answered probe lets calls use it again', () => {
    const event = fc.constantFrom<HealthEvent>('answered', 'unanswered', 'silent');
    fc.assert(
      fc.property(fc.array(event, { minLength: 1 }), (events) => {
        expect(mayCall(after(...events))).toBe(events.at(-1) === 'answered');
      }),
    );
  });
});
