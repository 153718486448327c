import { Fourier } from '../../../shared/fourier.ts';

/** Rate of the voice, Hz. */
export const VOICE_RATE = 24_000;
const WINDOW = 1200;
const HOP = 300;
/** Frequency bins of a frame of 12.5 ms. */
export const BINS = WINDOW / 2 + 1;
const OVERLAP = WINDOW / HOP;

/** What the net says of an utterance: five values for each bin and frame, `[bin][frame]`, and the pitch of each frame. */
export interface Frames {
  readonly count: number;
  /** Logarithm of the amplitude of the harmonic part. */
  readonly harmonic: Float32Array;
  /** Its phase is π·tanh of this. */
  readonly phase: Float32Array;
  /** Logarithm of the amplitude of the noise. */
  readonly noise: Float32Array;
  /** Logarithm of the amplitude of the free part, and its phase. */
  readonly free: Float32Array;
  readonly freePhase: Float32Array;
  /** Hz. */
  readonly pitch: Float32Array;
}

const HANN = Float64Array.from(
  { length: WINDOW },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / WINDOW),
);
/** A harmonic of amplitude 1 has a peak of 1 with this window. */
const SOURCE_HANN = HANN.map((value) => value / (WINDOW / 4));
/** Sum of the squared windows that overlap at a place of a hop, from the window's quarter `k` on. */
const squares = (k: number, j: number): number => (HANN[k * HOP + j] as number) ** 2;
const FOURIER = new Fourier(WINDOW);
/** Amplitudes above e⁷ are errors of the net. */
const amplitude = (log: number): number => Math.exp(Math.min(log, 7));

/** Pseudo-random complex numbers of mean power 2, drawn once: the same text gets the same sound. */
const NOISE_VALUES = 1 << 15;
const NOISE = (() => {
  const values = new Float32Array(2 * NOISE_VALUES);
  const random = randomFrom(1);
  for (let i = 0; i < NOISE_VALUES; i++) {
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    const angle = 2 * Math.PI * random();
    values[2 * i] = radius * Math.cos(angle);
    values[2 * i + 1] = radius * Math.sin(angle);
  }
  return values;
})();

/** Numbers from 0 to 1 (Marsaglia's xorshift). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** The sound of an utterance, full scale 1: `300 × count` samples. Pure. */
export function waveform(frames: Frames): Float32Array {
  const { count } = frames;
  const source = pulses(frames.pitch);
  const sum = new Float64Array((count + OVERLAP - 1) * HOP);
  const random = randomFrom(count);
  // One complex transform has two frames: the spectra of the pulses, then the frames of the sound.
  const [a, b] = [new Spectrum(), new Spectrum()];
  for (let t = 0; t < count; t += 2) {
    pulseSpectra(source, t, a, b);
    shape(frames, t, random, a);
    if (t + 1 < count) shape(frames, t + 1, random, b);
    addFrames(sum, t, t + 1 < count, a, b);
  }
  return normalised(sum, count);
}

class Spectrum {
  readonly re = new Float64Array(BINS);
  readonly im = new Float64Array(BINS);
}

/** A sample of the source, which is reflected at its ends. */
function sampleAt(source: Float32Array, at: number): number {
  const place = at < 0 ? -at : at < source.length ? at : 2 * (source.length - 1) - at;
  return source[place] ?? 0;
}

/** The spectra of the frames `t` and `t + 1` of the source. */
function pulseSpectra(source: Float32Array, t: number, a: Spectrum, b: Spectrum): void {
  const { re, im, order } = FOURIER;
  const start = t * HOP - WINDOW / 2;
  for (let i = 0; i < WINDOW; i++) {
    const from = order[i] as number;
    const weight = SOURCE_HANN[from] as number;
    re[i] = sampleAt(source, start + from) * weight;
    im[i] = sampleAt(source, start + HOP + from) * weight;
  }
  FOURIER.transform();
  for (let k = 0; k < BINS; k++) {
    const mirror = k === 0 ? 0 : WINDOW - k;
    const [p, q, r, s] = [re[k] as number, im[k] as number, re[mirror] as number, im[mirror] as number];
    a.re[k] = (p + r) / 2;
    a.im[k] = (q - s) / 2;
    b.re[k] = (q + s) / 2;
    b.im[k] = (r - p) / 2;
  }
}

/** Turns the spectrum of the source into that of the sound. */
function shape(frames: Frames, t: number, random: () => number, { re, im }: Spectrum): void {
  const { count, harmonic, phase, noise, free, freePhase } = frames;
  let drawn = Math.floor(random() * NOISE_VALUES);
  for (let k = 0, at = t; k < BINS; k++, at += count) {
    const loud = amplitude(harmonic[at] as number);
    const turn = Math.PI * Math.tanh(phase[at] as number);
    const c = loud * Math.cos(turn);
    const s = loud * Math.sin(turn);
    const [x, y] = [re[k] as number, im[k] as number];
    const hiss = amplitude(noise[at] as number);
    const loose = amplitude(free[at] as number);
    const loosePhase = freePhase[at] as number;
    re[k] = x * c - y * s + hiss * (NOISE[2 * drawn] as number) + loose * Math.cos(loosePhase);
    im[k] = x * s + y * c + hiss * (NOISE[2 * drawn + 1] as number) + loose * Math.sin(loosePhase);
    drawn = (drawn + 1) % NOISE_VALUES;
  }
}

/** Adds the frames of two spectra to the sound; `hasSecond`: there is a second one. */
function addFrames(sum: Float64Array, t: number, hasSecond: boolean, a: Spectrum, b: Spectrum): void {
  const { re, im, order } = FOURIER;
  // The inverse is the transform with real and imaginary part exchanged; the spectra are `a + i·b`.
  for (let i = 0; i < WINDOW; i++) {
    const from = order[i] as number;
    const isMirror = from >= BINS;
    const k = isMirror ? WINDOW - from : from;
    const isReal = k === 0 || k === BINS - 1;
    const sign = isReal ? 0 : isMirror ? -1 : 1;
    re[i] = sign * (a.im[k] as number) + (b.re[k] as number);
    im[i] = (a.re[k] as number) - sign * (b.im[k] as number);
  }
  FOURIER.transform();
  const start = t * HOP;
  for (let i = 0; i < WINDOW; i++) {
    const weight = (HANN[i] as number) / WINDOW;
    sum[start + i] = (sum[start + i] as number) + (im[i] as number) * weight;
    if (hasSecond) sum[start + HOP + i] = (sum[start + HOP + i] as number) + (re[i] as number) * weight;
  }
}

/** Divides by the windows that overlap at each sample, and cuts half a window at both ends. */
function normalised(sum: Float64Array, count: number): Float32Array {
  const out = new Float32Array(count * HOP);
  for (let i = 0; i < out.length; i++) {
    const at = i + WINDOW / 2;
    const [block, j] = [Math.floor(at / HOP), at % HOP];
    let windows = 0;
    for (let k = 0; k < OVERLAP; k++) {
      const frame = block - k;
      if (frame >= 0 && frame < count) windows += squares(k, j);
    }
    out[i] = (sum[at] as number) / Math.max(windows, 1e-11);
  }
  return out;
}

const UNVOICED_HZ = 40;
const HIGHEST_HZ = 11_000;

/** A train of pulses: every harmonic of the pitch below 11 kHz at amplitude 1, silence where there is no voice. */
export function pulses(pitch: Float32Array): Float32Array {
  const out = new Float32Array(pitch.length * HOP);
  let turns = 0;
  for (let i = 0; i < out.length; i++) {
    const hz = pitchAt(pitch, i);
    const voiced = Math.max(hz, UNVOICED_HZ);
    turns += voiced / VOICE_RATE;
    turns -= Math.floor(turns);
    if (hz <= UNVOICED_HZ) continue;
    const angle = 2 * Math.PI * turns;
    // The sum of cos(h·angle) for h = 1 to H.
    const harmonics = Math.floor(HIGHEST_HZ / voiced) + 0.5;
    const divisor = 2 * Math.sin(angle / 2);
    const ratio = Math.abs(divisor) <= 2e-3 ? harmonics : Math.sin(harmonics * angle) / divisor;
    out[i] = ratio - 0.5;
  }
  return out;
}

/** The pitch at a sample, between the middles of its frame and the nearer neighbour. */
function pitchAt(pitch: Float32Array, sample: number): number {
  const place = (sample + 0.5) / HOP - 0.5;
  const low = Math.floor(place);
  const share = place - low;
  const last = pitch.length - 1;
  const [from, to] = [pitch[Math.max(0, low)] ?? 0, pitch[Math.min(last, low + 1)] ?? 0];
  return from * (1 - share) + to * share;
}
