import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SampleRate } from './frame.ts';
import { finalPitch } from './pitch.ts';

/** A voice with harmonics whose pitch stays, then moves to `end` over the last `movesMs`; `gain`: its peak. */
function voice(
  start: number,
  end: number,
  rate: SampleRate,
  { gain = 6_000, movesMs = 300 } = {},
): Int16Array {
  const length = rate * 1.5;
  const moves = (rate * movesMs) / 1000;
  let phase = 0;
  return Int16Array.from({ length }, (_, i) => {
    const share = Math.max(0, Math.min(1, (i - (length - moves)) / (moves / 2)));
    phase += (2 * Math.PI * start * (end / start) ** share) / rate;
    return gain * (Math.sin(phase) + 0.5 * Math.sin(2 * phase) + 0.3 * Math.sin(3 * phase)) * 0.5;
  });
}

describe('the pitch at the end of a voice', () => {
  it('follows a fall and a rise of any voice, at both rates', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 110, max: 240 }),
        fc.integer({ min: -6, max: 6 }),
        fc.constantFrom<SampleRate>(8000, 16_000),
        (hz, semitones, rate) => {
          const moved = finalPitch(voice(hz, hz * 2 ** (semitones / 12), rate), rate);
          expect(moved).not.toBeNull();
          expect(Math.abs((moved ?? 99) - semitones)).toBeLessThan(1.2);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('does not depend on the level', () => {
    const at = (gain: number) => finalPitch(voice(140, 110, 8000, { gain }), 8000) ?? 0;
    expect(at(1_000)).toBeCloseTo(at(12_000), 0);
    expect(at(1_000)).toBeLessThan(-2);
  });

  it('is unknown in silence, in noise and in a voice that is too short', () => {
    let state = 5;
    const noise = Int16Array.from({ length: 12_000 }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return (state / 4_294_967_296 - 0.5) * 8_000;
    });
    expect(finalPitch(new Int16Array(16_000), 8000)).toBeNull();
    expect(finalPitch(noise, 8000)).toBeNull();
    expect(finalPitch(voice(140, 110, 8000).subarray(-1_600), 8000)).toBeNull();
  });
});
