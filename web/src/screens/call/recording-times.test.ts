import { describe, expect, it } from 'vitest';
import { spokenRegions, ticksOf } from './recording-times.ts';

describe('the axis of a recording', () => {
  it('names round times, at most nine of them', () => {
    expect(ticksOf(17)).toEqual([0, 5, 10, 15]);
    expect(ticksOf(42)).toEqual([0, 10, 20, 30, 40]);
    expect(ticksOf(150)).toEqual([0, 30, 60, 90, 120, 150]);
    expect(ticksOf(0)).toEqual([0]);
    for (const length of [30, 61, 599, 3_600, 7_000]) expect(ticksOf(length).length).toBeLessThanOrEqual(9);
  });
});

describe('the blocks of speech', () => {
  // Ten points a second: the person speaks in the second second, the assistant from the start for half a second.
  const data = Array.from({ length: 40 }, (_, point) => [
    ...(point >= 10 && point < 20 ? [-90, 90] : [-1, 1]),
    ...(point < 5 ? [-100, 100] : [0, 0]),
  ]).flat();
  const peaks = { channels: 2, bits: 8, length: 40, data };

  it('end with the words, not with the next line', () => {
    const regions = [
      { speaker: 'agent', from: 0, to: 1 },
      { speaker: 'caller', from: 1, to: 4 },
    ] as const;
    expect(spokenRegions(regions, peaks, 4)).toEqual([
      { speaker: 'agent', from: 0, to: 0.5 },
      { speaker: 'caller', from: 1, to: 2 },
    ]);
  });

  it('are never empty, also where nothing is heard', () => {
    const [block] = spokenRegions([{ speaker: 'agent', from: 2, to: 4 }], peaks, 4);
    expect(block).toEqual({ speaker: 'agent', from: 2, to: 2.1 });
  });
});
