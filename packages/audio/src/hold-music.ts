import { clip16 } from './clip.ts';

/** Half a second a note: four bars of eight, with two rests at the end. */
const NOTE_S = 0.5;
/** Notes that sound at once; an older one has died away. */
const TAIL_NOTES = 4;
const ATTACK_S = 0.012;
const DECAY_S = 0.55;
/** Peak of a note: about -27 dBFS in all. */
const GAIN = 1_900;
/** Broken chords of C, A minor, F and G, up and down, in Hz. */
const CHORDS = [
  [523.25, 659.26, 783.99, 1046.5],
  [440, 523.25, 659.26, 880],
  [349.23, 440, 523.25, 698.46],
  [392, 493.88, 587.33, 783.99],
] as const;
const STEPS = [0, 1, 2, 3, 2, 1, 2, 1] as const;
const NOTES: readonly number[] = CHORDS.flatMap((chord, bar) =>
  STEPS.map((step, beat) => (bar === CHORDS.length - 1 && beat > 5 ? 0 : (chord[step] ?? 0))),
);

/** Quiet music of generated notes for a caller who waits. Endless; the same from every start. */
export class HoldMusic {
  readonly #rate: number;
  #place = 0;

  constructor(rate: number) {
    this.#rate = rate;
  }

  /** Writes the next stretch over `out`. */
  write(out: Int16Array): void {
    for (let i = 0; i < out.length; i++) {
      const at = this.#place++ / this.#rate;
      const newest = Math.floor(at / NOTE_S);
      let value = 0;
      for (let note = Math.max(0, newest - TAIL_NOTES + 1); note <= newest; note++)
        value += sound(NOTES[note % NOTES.length] ?? 0, at - note * NOTE_S);
      out[i] = clip16(value * GAIN);
    }
  }
}

/** One note, `age` seconds after its start, from -1.3 to 1.3. */
function sound(hz: number, age: number): number {
  if (hz === 0) return 0;
  const phase = 2 * Math.PI * hz * age;
  const level = Math.min(1, age / ATTACK_S) * Math.exp(-age / DECAY_S);
  return level * (Math.sin(phase) + 0.3 * Math.sin(2 * phase));
}
