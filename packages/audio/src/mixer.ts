import { clip16 } from './clip.ts';

/** Adds `source * gain` to `target` in place, saturating at 16 bits; the shorter length counts. */
export function mixInto(target: Int16Array, source: Int16Array, gain: number): void {
  const count = Math.min(target.length, source.length);
  for (let i = 0; i < count; i++) {
    target[i] = clip16((target[i] as number) + (source[i] as number) * gain);
  }
}

/** An endless loop, such as a background track, and its position. */
export interface Loop {
  readonly pcm: Int16Array;
  place: number;
}

/** Adds the next stretch of a loop to `target`. */
export function mixLoop(target: Int16Array, loop: Loop, gain: number): void {
  const { pcm } = loop;
  if (pcm.length === 0) return;
  for (let i = 0; i < target.length; i++) {
    target[i] = clip16((target[i] as number) + (pcm[loop.place] as number) * gain);
    loop.place = loop.place + 1 === pcm.length ? 0 : loop.place + 1;
  }
}
