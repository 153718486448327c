/**
 * Streaming sample rate conversion by a windowed-sinc polyphase filter: stop band beyond 60 dB, pass band to
 * 90 % of the lower Nyquist frequency. Float samples in, float samples out, state kept between pushes.
 */
export interface Resampler {
  push(input: Float32Array): Float32Array;
  /** The tail still inside the filter. */
  end(): Float32Array;
}

const ZERO_CROSSINGS = 16;

interface Filter {
  readonly taps: number;
  readonly phases: readonly Float32Array[];
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

/** Weights for each of the `to / gcd` positions an output sample can have between input samples. */
function designFilter(from: number, to: number): Filter {
  const up = to / gcd(from, to);
  const cutoff = Math.min(1, to / from) * 0.95;
  const half = Math.ceil(ZERO_CROSSINGS / cutoff);
  const taps = half * 2;
  const phases: Float32Array[] = [];
  for (let phase = 0; phase < up; phase++) {
    const weights = new Float32Array(taps);
    let sum = 0;
    for (let tap = 0; tap < taps; tap++) {
      const distance = tap - (half - 1) - phase / up;
      const x = distance * cutoff;
      const sinc = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
      const window = Math.cos((Math.PI * distance) / (2 * half));
      const weight = Math.abs(distance) < half ? sinc * window * window : 0;
      weights[tap] = weight;
      sum += weight;
    }
    for (let tap = 0; tap < taps; tap++) weights[tap] = weights[tap]! / sum;
    phases.push(weights);
  }
  return { taps, phases };
}

/** Tables by rate pair: pure data, built on first use. */
const FILTERS = new Map<string, Filter>();

/** A converter from `from` Hz to `to` Hz. */
export function resampler(from: number, to: number): Resampler {
  if (from === to) {
    return { push: (input) => input.slice(), end: () => new Float32Array(0) };
  }
  const key = `${from}:${to}`;
  const filter = FILTERS.get(key) ?? designFilter(from, to);
  FILTERS.set(key, filter);
  const divisor = gcd(from, to);
  const up = to / divisor;
  const down = from / divisor;
  const { taps, phases } = filter;
  const lead = taps / 2 - 1;

  // `held` starts with silence so that the first output sits on the first input sample.
  let held: Float32Array = new Float32Array(lead);
  let position = 0;
  let phase = 0;

  const push = (input: Float32Array): Float32Array => {
    const buffer = new Float32Array(held.length + input.length);
    buffer.set(held);
    buffer.set(input, held.length);
    const room = Math.max(0, Math.ceil(((buffer.length - position) * up) / down) + 1);
    const output = new Float32Array(room);
    let count = 0;
    while (position + taps <= buffer.length) {
      const weights = phases[phase]!;
      let sum = 0;
      for (let tap = 0; tap < taps; tap++) sum += buffer[position + tap]! * weights[tap]!;
      output[count++] = sum;
      phase += down;
      position += Math.floor(phase / up);
      phase %= up;
    }
    const drop = Math.min(position, buffer.length);
    held = buffer.slice(drop);
    position -= drop;
    return output.subarray(0, count);
  };
  return { push, end: () => push(new Float32Array(taps / 2)) };
}
