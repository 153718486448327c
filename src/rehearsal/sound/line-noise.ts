import type { Loop } from '@callwright/audio';
import { draw } from '../draw.ts';
import type { CallerPersona } from '../scenario/document.ts';

type Noise = NonNullable<CallerPersona['noise']>;

const RATE = 8_000;
const LOOP_SAMPLES = 4 * RATE;
/** Levels of the loops, root mean square of 16-bit samples; a caller's words have about 3,000. */
const LEVEL: Readonly<Record<Exclude<Noise, 'quiet'>, number>> = { street: 260, car: 300, bad_line: 110 };

const loops = new Map<Noise, Int16Array>();

/** What a phone picks up beside its owner, from a place of the loop that the seed decides; null: nothing. */
export function lineNoise(noise: Noise, seed: number): Loop | null {
  if (noise === 'quiet') return null;
  const known = loops.get(noise);
  const pcm = known ?? loopOf(noise);
  if (known === undefined) loops.set(noise, pcm);
  return { pcm, place: Math.floor(draw(seed, 'noise') * pcm.length) };
}

function loopOf(noise: Exclude<Noise, 'quiet'>): Int16Array {
  let state = 0x2545f491;
  const white = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2_147_483_648 - 1;
  };
  const wave = new Float64Array(LOOP_SAMPLES);
  let [low, slow] = [0, 0];
  for (let i = 0; i < wave.length; i++) {
    const source = white();
    low += 0.35 * (source - low);
    slow += 0.04 * (source - slow);
    wave[i] = SOUNDS[noise](source, low, slow, i / wave.length);
  }
  const sum = wave.reduce((all, value) => all + value * value, 0);
  const gain = LEVEL[noise] / Math.sqrt(sum / wave.length);
  return Int16Array.from(wave, (value) => Math.max(-32_768, Math.min(32_767, Math.round(value * gain))));
}

/** Mixtures of white, low and deep noise; `part`: the place in the loop, 0 to 1. */
const SOUNDS: Readonly<
  Record<Exclude<Noise, 'quiet'>, (white: number, low: number, deep: number, part: number) => number>
> = {
  /** Two cars pass. */
  street: (_, low, deep, part) => (low - 0.5 * deep) * (0.5 + 0.5 * Math.sin(2 * Math.PI * part) ** 2),
  /** An engine and tyres: deep, and always there. */
  car: (_, low, deep) => deep + 0.1 * low,
  /** A hiss. */
  bad_line: (white) => white,
};
