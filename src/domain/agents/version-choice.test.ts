import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newId } from '../../shared/ids.ts';
import { splitCall } from './version-choice.ts';

const versions = (...traffic: number[]) => traffic.map((callTraffic, id) => ({ id, callTraffic }));

describe('splitCall', () => {
  it('assigns a call to the same version every time', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.integer({ min: 1, max: 99 }), (callId, share) => {
        const live = versions(share, 100 - share);
        expect(splitCall(live, callId)).toBe(splitCall(live, callId));
      }),
    );
  });

  it('reassigns only calls of the changed share', () => {
    const ids = Array.from({ length: 500 }, () => newId());
    const inFirst = (share: number): string[] =>
      ids.filter((callId) => splitCall(versions(share, 100 - share), callId)?.id === 0);
    expect(inFirst(40)).toEqual(expect.arrayContaining(inFirst(30)));
  });

  it.each([
    [10, 90],
    [50, 50],
    [1, 99],
    [20, 30, 50],
  ])('splits by weight: %i, %i', (...traffic) => {
    const counts = traffic.map(() => 0);
    // Ids of one millisecond differ only in their random tail, like those of a campaign.
    const total = 20_000;
    for (let i = 0; i < total; i += 1) counts[splitCall(versions(...traffic), newId())!.id]! += 1;
    // Five standard deviations of the binomial.
    traffic.forEach((share, index) => {
      const p = share / 100;
      expect(Math.abs(counts[index]! - total * p)).toBeLessThan(5 * Math.sqrt(total * p * (1 - p)));
    });
  });

  it('never assigns a version without traffic', () => {
    for (let i = 0; i < 200; i += 1) expect(splitCall(versions(0, 100), newId())?.id).toBe(1);
    expect(splitCall([], newId())).toBeNull();
  });
});
