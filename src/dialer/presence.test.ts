import { describe, expect, it } from 'vitest';
import { expiredLeases, LEASE_MS, noBeatsSeen } from './presence.ts';

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
