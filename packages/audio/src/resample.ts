import { clip16 } from './clip.ts';

/**
 * Streaming sample-rate change by a polyphase windowed-sinc filter (Kaiser window). Works for any pair of whole
 * rates; state carries over between calls, so chunks of any size give the same result as one long one.
 */
export interface Resampler {
  readonly filter: Filter;
  /** The newest inputs still needed, then those of the chunk under way. */
  window: Float64Array;
  filled: number;
  /** Input place (in the window) and phase of the next output. */
  place: number;
  phase: number;
}

interface Filter {
  /** `to / gcd` and `from / gcd`: output step is `down / up` input samples. */
  up: number;
  down: number;
  /** Taps per phase. */
  taps: number;
  /** `up` phases of `taps` coefficients. */
  phases: Float64Array;
}

/** Kaiser beta for about 70 dB of stop band. */
const BETA = 6.8;
/** Half width of the filter in zero crossings of the lower rate. */
const CROSSINGS = 24;
/** Pass band edge as a share of the lower Nyquist rate. */
const PASS = 0.92;

/** Modified Bessel function of order 0, by its power series. */
function bessel0(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; term > sum * 1e-9; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

/**
 * Twice the rate has its cut-off at the old Nyquist rate, in the middle of a band without speech: every other output is
 * then an unchanged input, and the filter of those between is symmetric.
 */
const isDoubling = (up: number, down: number): boolean => up === 2 && down === 1;

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

function designFilter(from: number, to: number, crossings: number): Filter {
  const divisor = gcd(from, to);
  const up = to / divisor;
  const down = from / divisor;
  // Cut-off in cycles per input sample, and half the filter's length in input samples.
  const cutoff = isDoubling(up, down) ? 0.5 : (PASS * Math.min(1, to / from)) / 2;
  const half = Math.ceil(crossings * Math.max(1, from / to));
  const taps = 2 * half;
  const phases = new Float64Array(up * taps);
  const scale = bessel0(BETA);
  for (let phase = 0; phase < up; phase++) {
    let sum = 0;
    for (let tap = 0; tap < taps; tap++) {
      // Distance in input samples from the output's place to this tap's input.
      const x = tap - (half - 1) - phase / up;
      const inside = Math.abs(x) / half;
      const window = inside >= 1 ? 0 : bessel0(BETA * Math.sqrt(1 - inside * inside)) / scale;
      const angle = 2 * Math.PI * cutoff * x;
      const value = (x === 0 ? 1 : Math.sin(angle) / angle) * window;
      phases[phase * taps + tap] = value;
      sum += value;
    }
    // Each phase passes a constant unchanged.
    for (let tap = 0; tap < taps; tap++) {
      phases[phase * taps + tap] = (phases[phase * taps + tap] as number) / sum;
    }
  }
  return { up, down, taps, phases };
}

/** Filters are read-only and costly to design: one per pair of rates and length serves every call. */
const filters = new Map<string, Filter>();

/** A resampler between two whole rates in Hz. `crossings`: half width of the filter, even; fewer cost less and pass less. */
export function createResampler(from: number, to: number, crossings = CROSSINGS): Resampler {
  const key = `${from}/${to}/${crossings}`;
  const filter = filters.get(key) ?? designFilter(from, to, crossings);
  filters.set(key, filter);
  const before = filter.taps / 2 - 1;
  // The first output sits on the first input: the inputs before it are silence.
  return { filter, window: new Float64Array(before + 1024), filled: before, place: 0, phase: 0 };
}

/** Samples that come back at most for an input of this length. */
export const maxResampled = ({ filter }: Resampler, inputSamples: number): number =>
  Math.ceil(((inputSamples + filter.taps) * filter.up) / filter.down) + 1;

/** Moves what is still needed to the front and appends the chunk. */
function append(resampler: Resampler, input: Int16Array): void {
  const drop = Math.min(resampler.place, resampler.filled);
  const kept = resampler.filled - drop;
  const needed = kept + input.length;
  if (needed > resampler.window.length) {
    const larger = new Float64Array(needed * 2);
    larger.set(resampler.window.subarray(drop, resampler.filled));
    resampler.window = larger;
  } else {
    resampler.window.copyWithin(0, drop, resampler.filled);
  }
  for (let i = 0; i < input.length; i++) resampler.window[kept + i] = input[i] as number;
  resampler.filled = needed;
  resampler.place -= drop;
}

/**
 * Resamples the next chunk of the stream into `out`; returns the samples written. Output trails input by half the
 * filter (3 ms). `out` holds at least `maxResampled` samples.
 */
export function resampleTo(resampler: Resampler, input: Int16Array, out: Int16Array): number {
  append(resampler, input);
  const { up, down, taps, phases } = resampler.filter;
  const { window, filled } = resampler;
  let written = 0;
  if (isDoubling(up, down)) return doubled(resampler, out);
  if (up === 1) return decimated(resampler, out);
  while (resampler.place + taps <= filled) {
    const base = resampler.phase * taps;
    const { place } = resampler;
    let [even, odd] = [0, 0];
    for (let tap = 0; tap < taps; tap += 2) {
      even += (phases[base + tap] as number) * (window[place + tap] as number);
      odd += (phases[base + tap + 1] as number) * (window[place + tap + 1] as number);
    }
    out[written++] = clip16(even + odd);
    const phase = resampler.phase + down;
    resampler.place += Math.floor(phase / up);
    resampler.phase = phase % up;
  }
  return written;
}

/** Twice the rate, which recognisers need of every call: an input, and the sum between it and the next one. */
function doubled(resampler: Resampler, out: Int16Array): number {
  const { taps, phases } = resampler.filter;
  const { window, filled } = resampler;
  const half = taps / 2;
  let { place } = resampler;
  let written = 0;
  for (; place + taps <= filled; place++) {
    const last = place + taps - 1;
    let [even, odd] = [0, 0];
    for (let tap = 0; tap < half; tap += 2) {
      const outer = (window[place + tap] as number) + (window[last - tap] as number);
      const inner = (window[place + tap + 1] as number) + (window[last - tap - 1] as number);
      even += (phases[taps + tap] as number) * outer;
      odd += (phases[taps + tap + 1] as number) * inner;
    }
    out[written++] = window[place + half - 1] as number;
    out[written++] = clip16(even + odd);
  }
  resampler.place = place;
  return written;
}

/** A whole fraction of the rate, as of voices at 24 kHz: one symmetric filter, whose last tap is zero. */
function decimated(resampler: Resampler, out: Int16Array): number {
  const { taps, phases, down } = resampler.filter;
  const { window, filled } = resampler;
  const half = taps / 2;
  let { place } = resampler;
  let written = 0;
  for (; place + taps <= filled; place += down) {
    const last = place + taps - 2;
    let [even, odd] = [0, (phases[half - 1] as number) * (window[place + half - 1] as number)];
    for (let tap = 0; tap < half - 2; tap += 2) {
      const outer = (window[place + tap] as number) + (window[last - tap] as number);
      const inner = (window[place + tap + 1] as number) + (window[last - tap - 1] as number);
      even += (phases[tap] as number) * outer;
      odd += (phases[tap + 1] as number) * inner;
    }
    const nearest = (window[place + half - 2] as number) + (window[place + half] as number);
    out[written++] = clip16(even + odd + (phases[half - 2] as number) * nearest);
  }
  resampler.place = place;
  return written;
}

/** The same into a new array; `last` also drains the filter's tail, after which the resampler is spent. */
export function resample(resampler: Resampler, input: Int16Array, last = false): Int16Array {
  const tail = last ? resampler.filter.taps / 2 : 0;
  const out = new Int16Array(maxResampled(resampler, input.length + tail));
  let written = resampleTo(resampler, input, out);
  if (tail > 0) written += resampleTo(resampler, new Int16Array(tail), out.subarray(written));
  return out.subarray(0, written);
}
