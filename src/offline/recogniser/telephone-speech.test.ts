import { createResampler, resample } from '@callwright/audio';
import { describe, expect, it } from 'vitest';
import { narrowed, widened } from './telephone-speech.ts';

/** Noise of one second. */
function noise(rate: number): Int16Array {
  let seed = 7;
  return Int16Array.from({ length: rate }, () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 20) - 2_048;
  });
}

describe('speech for a model of 16 kHz', () => {
  it('from a telephone has zeros between its samples', () => {
    expect([...widened(Int16Array.of(5, -7), 8_000)]).toEqual([5, 0, -7, 0]);
  });

  it('from a telephone is changed alike at 8 kHz and upsampled by a wideband call', () => {
    const phone = noise(8_000);
    const upsampled = resample(createResampler(8_000, 16_000), phone, true);
    expect(widened(upsampled, 16_000)).toEqual(widened(phone, 8_000));
  });

  it('from a wideband call is not changed', () => {
    const wide = noise(16_000);
    expect(widened(wide, 16_000)).toBe(wide);
    expect(narrowed(wide, 16_000)).toHaveLength(8_000);
  });
});
