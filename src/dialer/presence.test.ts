import { describe, expect, it } from 'vitest';
import { expiredLeases, isBeatDue, LEASE_MS, noBeatsSeen } from './presence.ts';

describe('the reaper’s view of heartbeats', () => {
  const run = (sent: readonly (number | null)[], stepMs = 1000): string[][] => {
    let beats = noBeatsSeen();
    return sent.map((beat, index) => {
      const observed = expiredLeases(beats, beat === null ? [] : [{ id: 'n', beat }], index * stepMs);
      beats = observed.beats;
      return observed.expired;
    });
  };
  it('expires a node’s lease after fifteen seconds without a new heartbeat', () => {
    const seen = run(Array.from({ length: 17 }, () => 7));
    expect(seen.findIndex((expired) => expired.length > 0)).toBe(LEASE_MS / 1000);
  });
  it('keeps the lease of a node whose heartbeats change at any time within the limit', () => {
    expect(run(Array.from({ length: 60 }, (_, index) => Math.floor(index / 14))).flat()).toEqual([]);
  });
  it('starts every lease over after the reaper itself paused', () => {
    expect(run([1, 1, 1, 1], 6000).flat()).toEqual([]);
  });
});

describe('the heartbeats of a node', () => {
  const beatsOf = (isIdle: (second: number) => boolean, seconds: number): number[] => {
    const beats: number[] = [];
    let last = 0;
    for (let second = 1; second <= seconds; second += 1) {
      if (!isBeatDue(isIdle(second), (second - last) * 1000)) continue;
      beats.push(second);
      last = second;
    }
    return beats;
  };
  it('go out every second while a call is live', () => {
    expect(beatsOf(() => false, 5)).toEqual([1, 2, 3, 4, 5]);
  });
  it('go out every three seconds without calls', () => {
    expect(beatsOf(() => true, 12)).toEqual([3, 6, 9, 12]);
  });
  it('go out within a second of the first call', () => {
    expect(beatsOf((second) => second < 5, 6)).toEqual([3, 5, 6]);
  });
  it('are tried again every second after one that was not stored', () => {
    expect([3, 4, 5].map((second) => isBeatDue(true, second * 1000))).toEqual([true, true, true]);
  });
});
