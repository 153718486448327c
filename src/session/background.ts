import { type Ambience, type Loop, type SampleRate, mixLoop, officeAmbience } from '@callwright/audio';

/** Office ambience under the agent's voice and between its words, at constant volume. Mixed into sent audio only. */
export class Background {
  readonly #ambience: Ambience;
  readonly #loop: Loop;
  readonly #gain: number;

  constructor(rate: SampleRate, volume: number) {
    this.#ambience = officeAmbience(rate);
    this.#loop = { pcm: this.#ambience.pcm, place: 0 };
    this.#gain = volume;
  }

  /** Mixes the next stretch into a frame; a frame without voice is cleared first. */
  mix(frame: Int16Array, hasVoice: boolean): void {
    if (!hasVoice) frame.fill(0);
    this.#ambience.reach(this.#loop.place + frame.length);
    mixLoop(frame, this.#loop, this.#gain);
  }
}
