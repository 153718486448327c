import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PeakMeter } from './peaks.ts';

const layout = (frames: number, channels: 1 | 2 = 2) => ({
  sampleRate: 8000,
  channels,
  dataStart: 44,
  dataBytes: frames * channels * 2,
});
const bytesOf = (samples: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(samples.length * 2);
  samples.forEach((sample, at) => bytes.writeInt16LE(sample, at * 2));
  return bytes;
};

describe('PeakMeter', () => {
  it('stores minimum and maximum of every point per channel', () => {
    const meter = new PeakMeter(layout(64));
    const left = Array.from({ length: 64 }, (_, at) => (at < 32 ? 256 * (at - 16) : -256));
    meter.write(bytesOf(left.flatMap((sample) => [sample, 32_767])));
    expect(meter.finish()).toEqual({
      version: 2,
      channels: 2,
      sample_rate: 8000,
      samples_per_pixel: 32,
      bits: 8,
      length: 2,
      data: [-16, 15, 127, 127, -1, -1, 127, 127],
    });
  });

  it('covers a recording of any length with at most 2000 points', () => {
    const frames = 500_001;
    const meter = new PeakMeter(layout(frames, 1));
    for (let at = 0; at < frames; at += 10_000) {
      meter.write(Buffer.alloc(Math.min(10_000, frames - at) * 2));
    }
    const peaks = meter.finish();
    expect(peaks.length).toBeLessThanOrEqual(2000);
    expect(peaks.length).toBeGreaterThan(1900);
    expect(peaks.length).toBe(Math.ceil(frames / peaks.samples_per_pixel));
  });

  it('gives the same result for any chunk sizes', () => {
    const samples = fc.array(fc.integer({ min: -32_768, max: 32_767 }), { minLength: 0, maxLength: 400 });
    fc.assert(
      fc.property(samples, fc.integer({ min: 1, max: 50 }), (values, step) => {
        const bytes = bytesOf(values);
        const whole = new PeakMeter(layout(values.length, 1));
        whole.write(bytes);
        const pieces = new PeakMeter(layout(values.length, 1));
        for (let at = 0; at < bytes.length; at += step * 2) pieces.write(bytes.subarray(at, at + step * 2));
        const { data } = whole.finish();
        expect(pieces.finish().data).toEqual(data);
        expect(data.every((value) => value >= -128 && value <= 127)).toBe(true);
      }),
    );
  });
});
