import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BINS, pulses, VOICE_RATE, waveform, type Frames } from './waveform.ts';

const SILENT = -60;
const HOP = 300;

const filled = (count: number, value: number): Float32Array => new Float32Array(count * BINS).fill(value);

/** Frames of one pitch whose parts have the same amplitudes in all bins. */
const even = (count: number, hz: number, parts: { harmonic?: number; noise?: number } = {}): Frames => ({
  count,
  harmonic: filled(count, parts.harmonic ?? SILENT),
  phase: filled(count, 0),
  noise: filled(count, parts.noise ?? SILENT),
  free: filled(count, SILENT),
  freePhase: filled(count, 0),
  pitch: new Float32Array(count).fill(hz),
});

const rms = (samples: Float32Array): number =>
  Math.sqrt(samples.reduce((sum, one) => sum + one * one, 0) / samples.length);

describe('the pulses of a pitch', () => {
  it('repeat at the pitch and hold every harmonic below 11 kHz once', () => {
    const source = pulses(new Float32Array(80).fill(200));
    const period = VOICE_RATE / 200;
    for (let i = 1000; i < 2000; i++) expect(source[i]).toBeCloseTo(source[i + period]!, 2);
    // 55 cosines of amplitude 1.
    expect(rms(source.subarray(0, 100 * period)) ** 2).toBeCloseTo(55 / 2, 1);
  });

  it('are silent below 40 Hz', () => {
    expect(rms(pulses(new Float32Array(10).fill(30)))).toBe(0);
  });
});

describe('the waveform', () => {
  it('is the source where the filter changes nothing', () => {
    const [sound, source] = [waveform(even(41, 150, { harmonic: 0 })), pulses(even(41, 150).pitch)];
    expect(sound).toHaveLength(41 * HOP);
    // Amplitude 1 in the window's terms.
    for (let i = 1200; i < 40 * HOP - 1200; i++) expect(sound[i]).toBeCloseTo(source[i]! / HOP, 5);
  });

  it('has noise of the same power everywhere, the same for the same frames', () => {
    const sound = waveform(even(60, 0, { noise: 0 }));
    expect(waveform(even(60, 0, { noise: 0 }))).toEqual(sound);
    const [early, late] = [rms(sound.subarray(1500, 8000)), rms(sound.subarray(9000, 16_000))];
    expect(early / late).toBeGreaterThan(0.9);
    expect(early / late).toBeLessThan(1.1);
  });

  it('is finite for any frames, also a single one', () => {
    const value = fc.double({ min: -20, max: 20, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), value, value, value, (count, harmonic, phase, hz) => {
        const frames = {
          ...even(count, hz * 40, { harmonic, noise: harmonic }),
          phase: filled(count, phase),
        };
        const sound = waveform(frames);
        expect(sound).toHaveLength(count * HOP);
        expect(sound.every(Number.isFinite)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});
