import { setImmediate } from 'node:timers/promises';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { playInSeats } from './seats.ts';

describe('the seats of a rehearsal by sound', () => {
  it('hold every call once, and never more at a time than both limits', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 4 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 3 }),
        async (count, atOnce, seats) => {
          const played: number[] = [];
          let [now, most] = [0, 0];
          const calls = Array.from({ length: count }, (_, call) => call);
          await playInSeats({ calls, atOnce, seats: () => seats }, async (call) => {
            now += 1;
            most = Math.max(most, now);
            await setImmediate();
            now -= 1;
            played.push(call);
          });
          expect(played.toSorted((a, b) => a - b)).toEqual(calls);
          expect(most).toBeLessThanOrEqual(Math.min(atOnce, seats));
        },
      ),
      { numRuns: 10 },
    );
  });

  it('wait while there are none', async () => {
    let [seats, looks] = [0, 0];
    const began: number[] = [];
    await playInSeats(
      {
        calls: [7],
        atOnce: 1,
        seats: () => {
          looks += 1;
          if (looks === 3) seats = 1;
          return seats;
        },
      },
      async (call) => {
        began.push(looks);
        expect(call).toBe(7);
      },
    );
    expect(began).toEqual([3]);
  });

  it('begin nothing after an abort, and let the calls under way end', async () => {
    const stop = new AbortController();
    const ended: number[] = [];
    await playInSeats({ calls: [1, 2, 3], atOnce: 3, signal: stop.signal }, async (call) => {
      stop.abort();
      await setImmediate();
      ended.push(call);
    });
    expect(ended).toEqual([1]);
  });

  it('reject with the failure of a call', async () => {
    const failing = playInSeats({ calls: [1, 2], atOnce: 1 }, () => Promise.reject(new Error('no disk')));
    await expect(failing).rejects.toThrow('no disk');
  });
});
