import { expect, it } from 'vitest';
import { InboundPace } from './inbound-pace.ts';

it('lets no more inbound calls of a trunk begin in a second than its pace, and leaves other trunks alone', () => {
  let now = 0;
  const pace = new InboundPace(() => now);
  const begin = (trunk: string, calls: number): number =>
    Array.from({ length: calls }, () => pace.take(trunk, 5)).filter(Boolean).length;
  expect([begin('flooded', 20), begin('quiet', 2)]).toEqual([5, 2]);
  now = 1000;
  expect(begin('flooded', 20)).toBe(5);
  now = 1400;
  expect(begin('flooded', 20)).toBe(2);
});
