import { describe, expect, it } from 'vitest';
import { HoldMusic } from './hold-music.ts';
import { dbfs, peak } from './level.ts';

const LOOP_S = 16;

describe.each([8000, 16_000])('hold music at %d Hz', (rate) => {
  const pcm = new Int16Array(rate * LOOP_S * 2);
  const music = new HoldMusic(rate);
  for (let at = 0; at < pcm.length; at += rate / 50) music.write(pcm.subarray(at, at + rate / 50));

  it('is quieter than a voice, never clips, and no second of it is silent', () => {
    expect(dbfs(pcm)).toBeGreaterThan(-33);
    expect(dbfs(pcm)).toBeLessThan(-24);
    expect(peak(pcm)).toBeLessThan(12_000);
    const seconds = Array.from({ length: LOOP_S * 2 }, (_, at) =>
      dbfs(pcm.subarray(at * rate, (at + 1) * rate)),
    );
    expect(Math.min(...seconds)).toBeGreaterThan(-45);
  });

  it('repeats after sixteen seconds, and starts as often as it likes with the same notes', () => {
    const second = new Int16Array(rate);
    new HoldMusic(rate).write(second);
    expect(second).toEqual(pcm.subarray(0, rate));
    const [first, again] = [pcm.subarray(4 * rate, 5 * rate), pcm.subarray(20 * rate, 21 * rate)];
    const worst = Math.max(...first.map((sample, i) => Math.abs(sample - (again[i] ?? 0))));
    expect(worst).toBeLessThanOrEqual(1);
  });

  it('has no click: no step between samples is louder than its notes make', () => {
    const steps = pcm.map((sample, at) => Math.abs(sample - (pcm[at - 1] ?? 0)));
    const steepest = (2 * Math.PI * 1046.5 * 2) / rate;
    expect(peak(steps)).toBeLessThan(peak(pcm) * steepest);
  });
});
