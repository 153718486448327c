import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { activePower, joined, limited, speechAudio, TARGET_DBFS } from './speech-audio.ts';

const RATE = 8000;

/** Silence, a tone with a gap in the middle, silence. */
function recording(sampleRate: number, amplitude: number): Int16Array {
  const [silence, tone, gap] = [0.3, 0.8, 0.2].map((seconds) => Math.round(seconds * sampleRate));
  const out = new Int16Array(2 * silence! + 2 * tone! + gap!);
  for (let i = 0; i < tone!; i++) {
    const value = Math.round(amplitude * Math.sin((2 * Math.PI * 300 * i) / sampleRate));
    out[silence! + i] = value;
    out[silence! + tone! + gap! + i] = value;
  }
  return out;
}

function shaped(pcm: Int16Array, sourceRate: number, chunk = pcm.length): Int16Array[] {
  const audio = speechAudio(RATE);
  const out: Int16Array[] = [];
  for (let at = 0; at < pcm.length; at += chunk)
    out.push(...audio.push(pcm.subarray(at, at + chunk), sourceRate));
  return [...out, ...audio.end()];
}

const dbfs = (pcm: Int16Array): number =>
  10 *
  Math.log10(
    activePower(
      Float32Array.from(pcm, (sample) => sample / 32_768),
      RATE,
    ),
  );

describe('speechAudio', () => {
  it.each([
    [22_050, 3000],
    [22_050, 30_000],
    [16_000, 1200],
    [8000, 12_000],
  ])('levels and trims %i Hz audio of amplitude %i', (sourceRate, amplitude) => {
    const out = joined(shaped(recording(sourceRate, amplitude), sourceRate));
    expect(Math.abs(dbfs(out) - TARGET_DBFS)).toBeLessThan(0.7);
    // 1.8 s of sound, up to 20 ms before and 60 ms after, frames of 10 ms.
    expect(out.length / RATE).toBeGreaterThan(1.79);
    expect(out.length / RATE).toBeLessThan(1.9);
  });

  it('emits a first chunk of 100 ms, then chunks of 200 ms', () => {
    const sizes = shaped(recording(RATE, 8000), RATE).map((chunk) => chunk.length);
    expect(sizes.slice(0, 3)).toEqual([800, 1600, 1600]);
  });

  it('is independent of the engine’s chunk sizes', () => {
    const pcm = recording(22_050, 9000);
    const whole = joined(shaped(pcm, 22_050));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9000 }), (chunk) => {
        expect(joined(shaped(pcm, 22_050, Math.max(200, chunk)))).toEqual(whole);
      }),
      { numRuns: 20, seed: 4 },
    );
  });

  it('is empty for silence and does not amplify noise', () => {
    expect(shaped(new Int16Array(RATE), RATE)).toEqual([]);
    const hiss = Int16Array.from({ length: RATE }, (_, i) => ((i * 7919) % 9) - 4);
    expect(shaped(hiss, RATE)).toEqual([]);
    expect(speechAudio(RATE).end()).toEqual([]);
  });
});

describe('limited', () => {
  it('is monotonic and never clips', () => {
    fc.assert(
      fc.property(fc.double({ min: -50, max: 50, noNaN: true }), (sample) => {
        expect(Math.abs(limited(sample))).toBeLessThanOrEqual(32_000);
        expect(limited(-sample) + limited(sample)).toBeCloseTo(0, 0);
        expect(limited(sample + 0.1)).toBeGreaterThanOrEqual(limited(sample));
      }),
      { seed: 5 },
    );
  });
});
