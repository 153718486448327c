import { mixLoop, type Loop } from '../voice/audio/mixer.ts';
import { officeAmbience, type Ambience } from '../voice/audio/office-ambience.ts';
import type { SampleRate } from '../voice/ports.ts';

/** What is heard under the agent's voice and between its words, always as loud. Outbound only: our ears never hear it. */
export class Background {
  readonly #ambience: Ambience;
  readonly #loop: Loop;
  readonly #gain: number;

  constructor(rate: SampleRate, volume: number) {
    this.#ambience = officeAmbience(rate);
    this.#loop = { pcm: this.#ambience.pcm, place: 0 };
    this.#gain = volume;
  }

  /** Lays the next stretch under a frame; one that holds nothing yet is cleared first. */
  mix(frame: Int16Array, hasVoice: boolean): void {
    if (!hasVoice) frame.fill(0);
    this.#ambience.reach(this.#loop.place + frame.length);
    mixLoop(frame, this.#loop, this.#gain);
  }
}
