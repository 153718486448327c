import { describe, expect, it } from 'vitest';
import { dbfs, peak } from './level.ts';
import { mixLoop } from './mixer.ts';
import { officeAmbience } from './office-ambience.ts';

describe.each([8000, 16_000])('the office at %d Hz', (rate) => {
  const office = officeAmbience(rate);
  const { pcm } = office;
  for (let place = 0; place <= pcm.length; place += rate / 50) office.reach(place);

  it('is a loop of sixteen seconds, the same for every call', () => {
    expect(pcm).toHaveLength(16 * rate);
    expect(officeAmbience(rate)).toBe(office);
  });

  it('stays well below a voice and never clips', () => {
    expect(dbfs(pcm)).toBeCloseTo(-30, 0);
    expect(peak(pcm)).toBeLessThan(16_000);
    const seconds = Array.from({ length: 16 }, (_, at) => dbfs(pcm.subarray(at * rate, (at + 1) * rate)));
    expect(Math.max(...seconds) - Math.min(...seconds)).toBeLessThan(8);
  });

  it('has no louder step at its seam than elsewhere', () => {
    const steps = pcm.map((sample, at) => Math.abs(sample - (pcm[at - 1] ?? pcm.at(-1) ?? 0)));
    const sorted = steps.slice().sort();
    expect(steps[0]!).toBeLessThanOrEqual(sorted[Math.floor(sorted.length * 0.999)]!);
    // Around the seam it is as loud as elsewhere.
    const seam = new Int16Array(rate / 2);
    mixLoop(seam, { pcm, place: pcm.length - rate / 4 }, 1);
    expect(Math.abs(dbfs(seam) - dbfs(pcm))).toBeLessThan(4);
  });
});
