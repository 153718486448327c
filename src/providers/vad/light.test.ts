import { describe, expect, it } from 'vitest';
import { openLight } from './light.ts';
import { noise, vowels } from './test-sounds.ts';

const decisions = (sound: Float32Array): number[] => {
  const vad = openLight(8000);
  const out: number[] = [];
  for (let at = 0; at + 160 <= sound.length; at += 160) {
    out.push(vad.process(Int16Array.from(sound.subarray(at, at + 160), (x) => Math.round(x * 32_767))));
  }
  return out;
};

describe('light voice detector', () => {
  it('detects a voice above faint noise and its end', () => {
    const hiss = noise(5);
    const voice = vowels(8000, 1.5);
    const sound = Float32Array.from({ length: 24_000 }, (_, i) => 0.002 * hiss() + (voice[i - 4000] ?? 0));
    const out = decisions(sound);
    expect(Math.max(...out.slice(5, 24))).toBeLessThan(0.5);
    expect(out.slice(27, 98).filter((probability) => probability > 0.5).length).toBeGreaterThan(50);
    expect(Math.max(...out.slice(112))).toBeLessThan(0.5);
  });

  it('detects no speech in silence or steady noise', () => {
    expect(Math.max(...decisions(new Float32Array(16_000)))).toBe(0);
    const white = noise(9);
    const out = decisions(Float32Array.from({ length: 80_000 }, () => 0.05 * white()));
    expect(out.filter((probability) => probability > 0.5)).toEqual([]);
  });

  it('returns zero for frames of another length and clears its state on reset', () => {
    const vad = openLight(8000);
    expect(vad.process(new Int16Array(10))).toBe(0);
    const voice = Int16Array.from(vowels(8000, 1), (x) => Math.round(x * 32_767));
    const run = (): number[] =>
      Array.from({ length: 50 }, (_, i) => vad.process(voice.slice(i * 160, i * 160 + 160)));
    const first = run();
    vad.reset();
    expect(run()).toEqual(first);
  });
});
