import { describe, expect, it } from 'vitest';
import { MEL_BANDS, MEL_FRAMES, MEL_SAMPLES, melFeatures, melWeight, normalised, powersOf } from './mel.ts';

const tone = (hz: number, samples: number): Int16Array =>
  Int16Array.from({ length: samples }, (_, i) => 8_000 * Math.sin((2 * Math.PI * hz * i) / 16_000));
const bandOf = (features: Float32Array, frame: number): number => {
  const column = Array.from(
    { length: MEL_BANDS },
    (_, band) => features[band * MEL_FRAMES + frame] as number,
  );
  return column.indexOf(Math.max(...column));
};

describe('the audio of a turn', () => {
  it('is its last 8 s, or has silence before it, with mean 0 and variance 1', () => {
    const short = normalised(tone(300, 16_000));
    expect(short).toHaveLength(MEL_SAMPLES);
    expect(new Set(short.subarray(0, MEL_SAMPLES - 16_000)).size).toBe(1);
    const long = normalised(
      Int16Array.from({ length: MEL_SAMPLES + 5 }, (_, i) => (i < 5 ? 30_000 : 500 * (i % 7))),
    );
    expect(Math.max(...long)).toBeLessThan(2);
    for (const audio of [short, long]) {
      const mean = audio.reduce((sum, x) => sum + x, 0) / MEL_SAMPLES;
      const variance = audio.reduce((sum, x) => sum + x * x, 0) / MEL_SAMPLES;
      expect(mean).toBeCloseTo(0, 6);
      expect(variance).toBeCloseTo(1, 2);
    }
  });
});

describe('features of the turn model', () => {
  it('come from the spectrum as it is defined', () => {
    const frame = Float64Array.from(
      { length: 400 },
      (_, i) => Math.sin(i * i * 0.01) + 0.3 * Math.cos(i * 0.7),
    );
    const other = frame.map((x, i) => x * x - 0.2 * Math.sin(i));
    const [power, otherPower] = [new Float64Array(201), new Float64Array(201)];
    powersOf(frame, other, power, otherPower);
    const defined = (samples: Float64Array, bin: number): number => {
      let [re, im] = [0, 0];
      for (const [i, x] of samples.entries()) {
        re += x * Math.cos((2 * Math.PI * bin * i) / 400);
        im -= x * Math.sin((2 * Math.PI * bin * i) / 400);
      }
      return re * re + im * im;
    };
    for (const bin of [0, 1, 37, 100, 199, 200]) {
      expect(power[bin]).toBeCloseTo(defined(frame, bin), 6);
      expect(otherPower[bin]).toBeCloseTo(defined(other, bin), 6);
    }
  });

  it("weigh it with Slaney's mel bands of equal area", () => {
    // Values of the reference's filter bank (80 bands, 400 samples, 16 kHz).
    expect(melWeight(0, 0)).toBe(0);
    expect(melWeight(0, 1)).toBeCloseTo(0.024862593, 7);
    expect(melWeight(1, 1)).toBeCloseTo(0.001990822, 7);
    expect(melWeight(1, 2)).toBeCloseTo(0.022871772, 7);
    expect(melWeight(79, 200)).toBe(0);
  });

  it('show a tone in its band, in the frames in which it sounds', () => {
    const features = melFeatures(tone(1_000, 32_000));
    expect(features).toHaveLength(MEL_BANDS * MEL_FRAMES);
    expect(new Set([700, 750, 790].map((frame) => bandOf(features, frame)))).toEqual(new Set([26]));
    // The quietest is 8 decades below the loudest, before it is scaled.
    const [low, high] = [features, features].map((all, i) =>
      all.reduce((best, x) => (i === 0 ? Math.min(best, x) : Math.max(best, x))),
    );
    expect((high ?? 0) - (low ?? 0)).toBeCloseTo(2, 5);
    expect(features.every(Number.isFinite)).toBe(true);
  });

  it('are the same for silence of any length', () => {
    const silence = melFeatures(new Int16Array(0));
    expect(melFeatures(new Int16Array(50_000))).toEqual(silence);
    expect(new Set(silence).size).toBeLessThan(MEL_FRAMES);
  });
});
