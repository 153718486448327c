import { describe, expect, it } from 'vitest';
import { applyGain, applyRamp, gainOfDb } from './gain.ts';
import { dbfs, peak, rms } from './level.ts';
import { mixInto, mixLoop } from './mixer.ts';
import { beep, dualTone, sineTone } from './tones.ts';

describe('mixing and levels', () => {
  it('adds with gain and saturates', () => {
    const target = Int16Array.of(100, 30_000, -30_000, 7);
    mixInto(target, Int16Array.of(10, 30_000, -30_000), 0.5);
    expect([...target]).toEqual([105, 32767, -32768, 7]);
  });

  it('repeats a loop without a seam', () => {
    const loop = { pcm: Int16Array.of(1, 2, 3), place: 0 };
    const target = new Int16Array(7);
    mixLoop(target, loop, 1);
    expect([...target]).toEqual([1, 2, 3, 1, 2, 3, 1]);
    expect(loop.place).toBe(1);
    mixLoop(target, { pcm: new Int16Array(0), place: 0 }, 1);
    expect(target[0]).toBe(1);
  });

  it('scales by gain and by ramp', () => {
    const pcm = Int16Array.of(1000, -1000, 20_000);
    applyGain(pcm, 2);
    expect([...pcm]).toEqual([2000, -2000, 32767]);
    const ramp = new Int16Array(4).fill(1000);
    applyRamp(ramp, 0, 1);
    expect([...ramp]).toEqual([250, 500, 750, 1000]);
    expect(gainOfDb(-20)).toBeCloseTo(0.1);
  });

  it('measures levels', () => {
    expect(rms(new Int16Array(0))).toBe(0);
    expect(dbfs(new Int16Array(160))).toBe(-100);
    expect(dbfs(new Int16Array(160).fill(-32768))).toBe(0);
    expect(dbfs(sineTone(1000, 100, 8000, 32767))).toBeCloseTo(-3.01, 1);
    expect(peak(Int16Array.of(3, -32768))).toBe(32768);
  });

  it('makes tones of the right length that do not wrap', () => {
    expect(sineTone(440, 20, 8000)).toHaveLength(160);
    expect(peak(dualTone(697, 1209, 100, 8000, 30_000))).toBe(32768);
    const short = beep(1000, 50, 16_000);
    expect([short.length, short[0], short.at(-1)]).toEqual([800, 0, 0]);
    expect(peak(short.subarray(200, 600))).toBeGreaterThan(11_900);
  });
});
