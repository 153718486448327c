import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callsFree, refill, startPace, take, waitMs } from './capacity.ts';

describe('trunk pace', () => {
  it('starts with a burst of one second’s calls, then permits one every 1/n seconds', () => {
    let pace = startPace(4, 0);
    expect(callsFree(pace)).toBe(4);
    pace = take(pace, 4);
    expect(waitMs(pace)).toBe(250);
    expect(callsFree(refill(pace, 249))).toBe(0);
    expect(callsFree(refill(pace, 250))).toBe(1);
    expect(callsFree(refill(pace, 60_000))).toBe(4);
    expect(callsFree(refill(pace, -5))).toBe(0);
  });
  it('supports rates below one call a second', () => {
    const pace = take(startPace(0.5, 0), 1);
    expect(callsFree(refill(pace, 1999))).toBe(0);
    expect(callsFree(refill(pace, 2000))).toBe(1);
  });
  it('never exceeds its rate plus one burst over any interval', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 60 }),
        (perSecond, steps) => {
          let pace = startPace(perSecond, 0);
          let at = 0;
          let started = 0;
          for (const step of steps) {
            at += step;
            pace = refill(pace, at);
            started += callsFree(pace);
            pace = take(pace, callsFree(pace));
          }
          expect(started).toBeLessThanOrEqual(perSecond + (at * perSecond) / 1000 + 1e-6);
        },
      ),
    );
  });
});
