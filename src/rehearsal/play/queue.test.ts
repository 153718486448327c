import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { TimeQueue } from './queue.ts';

it('runs queued work by time, and work of one time in its order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 60 }), (times) => {
      const queue = new TimeQueue();
      const ran: [number, number][] = [];
      for (const [index, at] of times.entries()) queue.add(at, () => void ran.push([at, index]));
      for (let run = queue.take(); run !== null; run = queue.take()) run();
      const sorted = times
        .map((at, index): [number, number] => [at, index])
        .toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
      expect(ran).toEqual(sorted);
      expect(queue.nextAt).toBe(Number.POSITIVE_INFINITY);
    }),
  );
});
