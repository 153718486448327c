import { clip16 } from './clip.ts';

/** The linear factor of a gain in dB. */
export const gainOfDb = (db: number): number => 10 ** (db / 20);

/** Multiplies in place, saturating. */
export function applyGain(pcm: Int16Array, gain: number): void {
  for (let i = 0; i < pcm.length; i++) pcm[i] = clip16((pcm[i] as number) * gain);
}

/** Multiplies in place by a gain that ramps linearly from `from` to `to`, which avoids clicks. */
export function applyRamp(pcm: Int16Array, from: number, to: number): void {
  const step = (to - from) / pcm.length;
  for (let i = 0; i < pcm.length; i++) pcm[i] = clip16((pcm[i] as number) * (from + step * (i + 1)));
}
