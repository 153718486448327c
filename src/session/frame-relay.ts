import { peak } from '../voice/audio/level.ts';
import type { SampleRate } from '../voice/ports.ts';

/** Frames that wait before sound begins, and the most that may wait: packets come unevenly, our wheel does not. */
const BEGIN_WITH = 2;
const MOST = 12;
/** What has piled up is given back where nobody misses it. */
const QUIET_PEAK = 100;

/** One way across a bridge: 20 ms frames of one side until the other side's turn of the wheel. Allocates nothing. */
export class FrameRelay {
  readonly #frames: readonly Int16Array[];
  #first = 0;
  #waiting = 0;
  #flows = false;

  constructor(sampleRate: SampleRate) {
    this.#frames = Array.from({ length: MOST }, () => new Int16Array(sampleRate / 50));
  }

  push(pcm: Int16Array): void {
    if (this.#waiting > BEGIN_WITH && peak(pcm) < QUIET_PEAK) return;
    // A sender whose clock is faster than ours and who never pauses: one small cut instead of a delay that stays.
    if (this.#waiting === MOST) this.#skip(MOST - BEGIN_WITH);
    this.#frames[(this.#first + this.#waiting) % MOST]?.set(pcm);
    this.#waiting += 1;
  }

  /** Fills `out` with the next frame; false when none is due. */
  take(out: Int16Array): boolean {
    if (this.#waiting === 0) this.#flows = false;
    if (this.#waiting < (this.#flows ? 1 : BEGIN_WITH)) return false;
    this.#flows = true;
    out.set(this.#frames[this.#first] as Int16Array);
    this.#skip(1);
    return true;
  }

  #skip(frames: number): void {
    this.#first = (this.#first + frames) % MOST;
    this.#waiting -= frames;
  }
}
