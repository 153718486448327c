import { seededRandom } from '../../../packages/sip/test/virtual-network.ts';
import type { Noise } from './script.ts';

const RATE = 8000;

/** Peak levels; a caller's words peak at about 16,000. */
const LEVEL: Readonly<Record<Noise, number>> = { cough: 12_000, dog: 12_000, hum: 9_000, television: 4_000 };

/** Sounds that are no words, at 8 kHz; another seed is another dog. */
export function soundOf(noise: Noise, seed: number): Int16Array {
  const random = seededRandom(seed);
  const wave = WAVES[noise](random);
  const most = wave.reduce((peak, value) => Math.max(peak, Math.abs(value)), 1e-9);
  return Int16Array.from(wave, (value) => Math.round((LEVEL[noise] * value) / most));
}

type Random = () => number;

const WAVES: Readonly<Record<Noise, (random: Random) => Float64Array>> = {
  /** A burst of breath and a shorter one. */
  cough: (random) =>
    joined([
      breath(random, 130 + 60 * random()),
      silence(60 + 60 * random()),
      breath(random, 110 + 60 * random()),
    ]),
  /** Two barks. */
  dog: (random) => joined([bark(random), silence(220 + 120 * random()), bark(random)]),
  /** A closed mouth that agrees: two syllables, the second one higher. */
  hum: (random) => {
    const pitch = 110 + 80 * random();
    return joined([
      hummed(pitch, 140 + 40 * random()),
      silence(40),
      hummed(pitch * 1.25, 140 + 60 * random()),
    ]);
  },
  /** A voice that talks without a pause. */
  television: (random) => babble(random, 2_500),
};

const samples = (ms: number): number => Math.round((ms * RATE) / 1000);
const silence = (ms: number): Float64Array => new Float64Array(samples(ms));
const joined = (parts: readonly Float64Array[]): Float64Array => {
  const out = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
};

/** Noise of the throat: loud at once, and fading. */
function breath(random: Random, ms: number): Float64Array {
  const out = new Float64Array(samples(ms));
  let [low, slow] = [0, 0];
  for (let i = 0; i < out.length; i++) {
    const white = 2 * random() - 1;
    low += 0.6 * (white - low);
    slow += 0.15 * (low - slow);
    out[i] = (low - slow) * Math.min(1, i / 60) * Math.exp((-3 * i) / out.length);
  }
  return out;
}

function bark(random: Random): Float64Array {
  const out = new Float64Array(samples(140 + 60 * random()));
  let phase = 0;
  for (let i = 0; i < out.length; i++) {
    const part = i / out.length;
    phase += (2 * Math.PI * (420 + 380 * Math.sin(Math.PI * part))) / RATE;
    const rough =
      Math.sin(phase) + 0.6 * Math.sin(2 * phase) + 0.4 * Math.sin(3 * phase) + 0.5 * (2 * random() - 1);
    out[i] = rough * Math.sin(Math.PI * Math.min(1, 3 * part)) ** 0.5 * (1 - part);
  }
  return out;
}

function hummed(pitchHz: number, ms: number): Float64Array {
  const out = new Float64Array(samples(ms));
  for (let i = 0; i < out.length; i++) {
    const phase = (2 * Math.PI * pitchHz * i) / RATE;
    const nasal = Math.sin(phase) + 0.5 * Math.sin(2 * phase) + 0.15 * Math.sin(3 * phase);
    out[i] = nasal * Math.sin((Math.PI * i) / out.length) ** 0.5;
  }
  return out;
}

/** Syllables of a voice with formants that move. */
function babble(random: Random, ms: number): Float64Array {
  const out = new Float64Array(samples(ms));
  let phase = 0;
  let [pitch, formant, loud] = [130, 900, 1];
  for (let i = 0; i < out.length; i++) {
    if (i % samples(120) === 0) {
      pitch = 110 + 50 * random();
      formant = 400 + 1_600 * random();
      loud = 0.4 + 0.6 * random();
    }
    phase += (2 * Math.PI * pitch) / RATE;
    const syllable = 0.55 - 0.45 * Math.cos((2 * Math.PI * i) / samples(180));
    let value = 0;
    for (let n = 1; n <= 15; n++) {
      value += Math.sin(n * phase) / (1 + ((n * pitch - formant) / 250) ** 2);
    }
    out[i] = value * syllable * loud;
  }
  return out;
}
