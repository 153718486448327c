import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IDLE_POLL_MS, LOOKED_POLL_MS, POLL_MS, sleepMs } from './idle-sleep.ts';

const NOW = 1_800_000_000_000;
const dueIn = fc.oneof(fc.integer({ min: 1, max: 20_000 }), fc.constant(Number.POSITIVE_INFINITY));

describe('the sleep of a scheduler without due calls', () => {
  it('ends when the next call is due, and never later', () => {
    fc.assert(
      fc.property(dueIn, fc.boolean(), (ms, mayRest) => {
        const sleep = sleepMs({ now: NOW, dueAt: NOW + ms, mayRest });
        expect(sleep).toBeLessThanOrEqual(ms);
        expect(sleep).toBe(Math.min(ms, mayRest ? IDLE_POLL_MS : POLL_MS));
      }),
    );
  });

  it('is longer while heartbeats look, unless a wake may be lost', () => {
    fc.assert(
      fc.property(dueIn, fc.boolean(), (ms, mayRest) => {
        const sleep = sleepMs({ now: NOW, dueAt: NOW + ms, mayRest, isLooking: true });
        expect(sleep).toBe(Math.min(ms, mayRest ? LOOKED_POLL_MS : POLL_MS));
      }),
    );
  });

  it('is no longer than a second where a wake may be lost', () => {
    fc.assert(
      fc.property(dueIn, (ms) => {
        expect(sleepMs({ now: NOW, dueAt: NOW + ms, mayRest: false })).toBeLessThanOrEqual(POLL_MS);
      }),
    );
  });

  it('is at least a millisecond, so that a call that has just become due is no busy loop', () => {
    fc.assert(
      fc.property(fc.integer({ min: -20_000, max: 0 }), fc.boolean(), (ms, mayRest) => {
        expect(sleepMs({ now: NOW, dueAt: NOW + ms, mayRest })).toBe(1);
      }),
    );
  });
});
