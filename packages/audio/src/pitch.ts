import type { SampleRate } from './frame.ts';

/** Voices between these pitches, Hz. */
const LOWEST_HZ = 65;
const HIGHEST_HZ = 400;
/** Pitch is measured at this rate, which keeps the cost of two seconds near a millisecond. */
const RATE = 4_000;
const WINDOW = RATE * 0.04;
const HOP = RATE * 0.02;
const LONGEST = Math.round(RATE / LOWEST_HZ);
const SHORTEST = Math.round(RATE / HIGHEST_HZ);
/** How alike a window and its shifted copy are in voiced sound. */
const VOICED = 0.6;
/** Mean energy of a sample below which a window is silence. */
const SILENCE = 900;
/** What the end is compared with, s. */
const LOOK_BACK_S = 2;
/** Voiced windows of the end, and the fewest of the whole. */
const END_WINDOWS = 6;
const FEWEST_WINDOWS = 14;
/** A jump to half or twice the pitch is an error of the measurement. */
const OCTAVE = 9;

/**
 * Pitch at the end of the audio, relative to its median over the last two seconds, in semitones: negative
 * for a fall. Null: too little voiced sound.
 */
export function finalPitch(pcm: Int16Array, sampleRate: SampleRate): number | null {
  const sound = lowered(pcm.subarray(-LOOK_BACK_S * sampleRate), sampleRate / RATE);
  const pitches: number[] = [];
  for (let at = 0; at + WINDOW + LONGEST <= sound.length; at += HOP) {
    const hz = pitchAt(sound, at);
    if (hz !== null) pitches.push(12 * Math.log2(hz));
  }
  if (pitches.length < FEWEST_WINDOWS) return null;
  const middle = median(pitches);
  const end = pitches.slice(-END_WINDOWS).filter((pitch) => Math.abs(pitch - middle) < OCTAVE);
  return end.length === 0 ? null : median(end) - middle;
}

/** The mean of each `factor` samples. */
function lowered(pcm: Int16Array, factor: number): Float64Array {
  const out = new Float64Array(Math.floor(pcm.length / factor));
  for (let i = 0; i < out.length; i++) {
    let sum = 0;
    for (let j = 0; j < factor; j++) sum += pcm[i * factor + j] ?? 0;
    out[i] = sum / factor;
  }
  return out;
}

/** The lag at which the window repeats best, with the top of the curve through its neighbours; null: silence, or no voice. */
function pitchAt(sound: Float64Array, at: number): number | null {
  const own = product(sound, at, at);
  if (own < SILENCE * WINDOW) return null;
  const alike = (lag: number): number =>
    product(sound, at, at + lag) / Math.sqrt(own * product(sound, at + lag, at + lag) + 1);
  let best = SHORTEST;
  let highest = -1;
  const likeness = new Float64Array(LONGEST + 1);
  for (let lag = SHORTEST; lag <= LONGEST; lag++) {
    const value = alike(lag);
    likeness[lag] = value;
    // A longer lag repeats a shorter one: it has to be clearly better.
    if (value > highest + (lag > best * 1.5 ? 0.12 : 0)) [best, highest] = [lag, value];
  }
  if (highest < VOICED || best === SHORTEST || best === LONGEST) return null;
  const [before = 0, top = 0, after = 0] = likeness.subarray(best - 1, best + 2);
  const bend = before - 2 * top + after;
  return RATE / (best + (bend < 0 ? (before - after) / (2 * bend) : 0));
}

function product(sound: Float64Array, a: number, b: number): number {
  let sum = 0;
  for (let i = 0; i < WINDOW; i++) sum += (sound[a + i] ?? 0) * (sound[b + i] ?? 0);
  return sum;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
