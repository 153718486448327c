import { Fourier } from '../../shared/fourier.ts';

/** Log-mel features as Whisper computes them, of 8 s at 16 kHz. Pure. */
export const MEL_RATE = 16_000;
export const MEL_SAMPLES = 8 * MEL_RATE;
export const MEL_BANDS = 80;
const WINDOW = 400;
const HOP = 160;
const BINS = WINDOW / 2 + 1;
export const MEL_FRAMES = MEL_SAMPLES / HOP;
const FLOOR = 1e-10;
const TINY = 1e-7;

const HANN = Float64Array.from(
  { length: WINDOW },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / WINDOW),
);

/** The last 8 s of the audio, silence before it, as the model takes it: `[bands][frames]`. */
export function melFeatures(pcm: Int16Array): Float32Array {
  return logMel(normalised(pcm));
}

/** Exactly 8 s with mean 0 and variance 1. */
export function normalised(pcm: Int16Array): Float64Array {
  const out = new Float64Array(MEL_SAMPLES);
  const kept = pcm.subarray(Math.max(0, pcm.length - MEL_SAMPLES));
  const from = MEL_SAMPLES - kept.length;
  for (let i = 0; i < kept.length; i++) out[from + i] = (kept[i] as number) / 32_768;
  const mean = out.reduce((sum, x) => sum + x, 0) / MEL_SAMPLES;
  const variance = out.reduce((sum, x) => sum + (x - mean) ** 2, 0) / MEL_SAMPLES;
  const scale = 1 / Math.sqrt(variance + TINY);
  for (let i = 0; i < MEL_SAMPLES; i++) out[i] = ((out[i] as number) - mean) * scale;
  return out;
}

function logMel(audio: Float64Array): Float32Array {
  const logs = new Float64Array(MEL_BANDS * MEL_FRAMES);
  const powers = [new Float64Array(BINS), new Float64Array(BINS)] as const;
  const frames = [new Float64Array(WINDOW), new Float64Array(WINDOW)] as const;
  let highest = -Infinity;
  for (let t = 0; t < MEL_FRAMES; t += 2) {
    fillFrame(frames[0], audio, t);
    fillFrame(frames[1], audio, t + 1);
    powersOf(...frames, ...powers);
    for (const [i, power] of powers.entries()) {
      for (let band = 0; band < MEL_BANDS; band++) {
        const value = Math.log10(Math.max(FLOOR, energyOf(power, band)));
        logs[band * MEL_FRAMES + t + i] = value;
        if (value > highest) highest = value;
      }
    }
  }
  return Float32Array.from(logs, (value) => (Math.max(value, highest - 8) + 4) / 4);
}

/** Fills the windowed frame; the audio is reflected at its ends. */
function fillFrame(frame: Float64Array, audio: Float64Array, t: number): void {
  const start = t * HOP - WINDOW / 2;
  for (let i = 0; i < WINDOW; i++) {
    const at = Math.abs(start + i);
    const place = at < MEL_SAMPLES ? at : 2 * (MEL_SAMPLES - 1) - at;
    frame[i] = (audio[place] as number) * (HANN[i] as number);
  }
}

const FOURIER = new Fourier(WINDOW);

/** Power spectra of two frames: one complex transform has both. */
export function powersOf(a: Float64Array, b: Float64Array, powerA: Float64Array, powerB: Float64Array): void {
  const { re, im, order } = FOURIER;
  for (let i = 0; i < WINDOW; i++) {
    const from = order[i] as number;
    re[i] = a[from] as number;
    im[i] = b[from] as number;
  }
  FOURIER.transform();
  for (let k = 0; k < BINS; k++) {
    const m = k === 0 ? 0 : WINDOW - k;
    const [p, q, r, s] = [re[k] as number, im[k] as number, re[m] as number, im[m] as number];
    powerA[k] = ((p + r) ** 2 + (q - s) ** 2) / 4;
    powerB[k] = ((q + s) ** 2 + (p - r) ** 2) / 4;
  }
}

/** Slaney's mel scale: linear below 1 kHz, logarithmic above. */
const LINEAR_HZ = 200 / 3;
const LOG_STEP = Math.log(6.4) / 27;
const melOf = (hz: number): number => (hz < 1000 ? hz / LINEAR_HZ : 15 + Math.log(hz / 1000) / LOG_STEP);
const hzOf = (mel: number): number => (mel < 15 ? mel * LINEAR_HZ : 1000 * Math.exp((mel - 15) * LOG_STEP));

interface Band {
  readonly first: number;
  readonly weights: Float64Array;
}

/** Triangles of equal area, their corners equally spaced in mel. */
const BANDS: readonly Band[] = (() => {
  const top = melOf(MEL_RATE / 2);
  const corners = Array.from({ length: MEL_BANDS + 2 }, (_, i) => hzOf((top * i) / (MEL_BANDS + 1)));
  return Array.from({ length: MEL_BANDS }, (_, band) => {
    const [low, middle, high] = corners.slice(band, band + 3) as [number, number, number];
    const weights = Array.from({ length: BINS }, (__, k) => {
      const hz = (k * MEL_RATE) / WINDOW;
      const weight = Math.min((hz - low) / (middle - low), (high - hz) / (high - middle));
      return (Math.max(0, weight) * 2) / (high - low);
    });
    const first = weights.findIndex((weight) => weight > 0);
    const last = weights.findLastIndex((weight) => weight > 0);
    return {
      first: Math.max(0, first),
      weights: Float64Array.from(weights.slice(Math.max(0, first), last + 1)),
    };
  });
})();

/** Weight of a frequency bin in a band. */
export const melWeight = (band: number, bin: number): number => {
  const { first, weights } = BANDS[band] as Band;
  return weights[bin - first] ?? 0;
};

function energyOf(power: Float64Array, band: number): number {
  const { first, weights } = BANDS[band] as Band;
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += (weights[i] as number) * (power[first + i] as number);
  return sum;
}
