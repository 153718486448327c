import { describe, expect, it } from 'vitest';
import { MICRO_CREDITS } from '../credits/price.ts';
import { anomalyOf, outboundPause } from './anomaly.ts';

const use = (starts: number, credits = 0) => ({ starts, charged: credits * MICRO_CREDITS });

describe('an hour against the busiest of the week', () => {
  it.each([
    ['ten times the attempts', use(500), use(50), 'attempts'],
    ['almost ten times', use(499), use(50), null],
    ['ten times a quiet week', use(99), use(2), null],
    ['a hundred after a quiet week', use(100), use(2), 'attempts'],
    ['the first calls of a workspace', use(5000), use(0), null],
    ['ten times the spending', use(60, 200), use(50, 20), 'spend'],
    ['spending in a week of free calls', use(60, 200), use(50, 0), null],
  ] as const)('%s: %s', (_name, now, busiest, reason) => {
    expect(anomalyOf(now, busiest)).toBe(reason);
  });
});

it('a pause of the parent holds for its children', () => {
  const pause = { at: '2026-01-01T00:00:00.000Z', reason: 'spend' } as const;
  expect(outboundPause({})).toBeNull();
  expect(outboundPause({ outbound_paused: pause })).toEqual(pause);
  expect(outboundPause({ parent: { outbound_paused: pause } })).toEqual(pause);
});
