import { mixInto, type SampleRate } from '@callwright/audio';
import { FrameRelay } from './bridge.ts';

/**
 * The audio of a call of three, in frames of 20 ms at one rate: the guest hears caller and agent, the caller agent and guest. The
 * agent hears nobody here. Each side gives and takes frames at its own clock; nothing is allocated per frame.
 */
export class ThreeWayMix {
  readonly #caller: FrameRelay;
  readonly #agent: FrameRelay;
  readonly #guest: FrameRelay;
  readonly #frame: Int16Array;

  constructor(sampleRate: SampleRate) {
    this.#caller = new FrameRelay(sampleRate);
    this.#agent = new FrameRelay(sampleRate);
    this.#guest = new FrameRelay(sampleRate);
    this.#frame = new Int16Array(sampleRate / 50);
  }

  /** A frame of the caller. */
  caller(pcm: Int16Array): void {
    this.#caller.push(pcm);
  }

  /** A frame of the guest. */
  guest(pcm: Int16Array): void {
    this.#guest.push(pcm);
  }

  /** Adds the guest's next frame to the one that leaves to the caller, which the guest hears. False: both are silent. */
  toCaller(out: Int16Array, hasVoice: boolean): boolean {
    if (hasVoice) this.#agent.push(out);
    return this.#add(this.#guest, out, hasVoice);
  }

  /** Fills the next frame for the guest; false: silence. */
  toGuest(out: Int16Array): boolean {
    return this.#add(this.#agent, out, this.#caller.take(out));
  }

  #add(relay: FrameRelay, out: Int16Array, hasVoice: boolean): boolean {
    if (!hasVoice) return relay.take(out);
    if (relay.take(this.#frame)) mixInto(out, this.#frame, 1);
    return true;
  }
}
