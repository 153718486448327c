import { FRAME_MS, type SampleRate } from '@callwright/audio';

/** The last frames of a call, by audio time. Frames are copied; nothing is allocated per frame. */
export class FrameRing {
  readonly #frames: Int16Array[];
  readonly #times: Float64Array;
  #written = 0;

  constructor(sampleRate: SampleRate, ms: number) {
    const length = Math.ceil(ms / FRAME_MS);
    const samples = (sampleRate * FRAME_MS) / 1000;
    this.#frames = Array.from({ length }, () => new Int16Array(samples));
    this.#times = new Float64Array(length);
  }

  /** Audio time of the end, and of the oldest frame. */
  get endMs(): number {
    return this.#written * FRAME_MS;
  }
  get startMs(): number {
    return Math.max(0, this.#written - this.#frames.length) * FRAME_MS;
  }

  push(frame: Int16Array, at: number): void {
    const slot = this.#written % this.#frames.length;
    this.#frames[slot]?.set(frame);
    this.#times[slot] = at;
    this.#written++;
  }

  /** Visits the frames from an audio time on, oldest first; returns the audio time of the first one. */
  replay(fromMs: number, visit: (frame: Int16Array, at: number) => void): number {
    const wanted = Math.floor(Math.max(fromMs, this.startMs) / FRAME_MS);
    const first = Math.min(this.#written, wanted);
    for (let i = first; i < this.#written; i++) {
      const slot = i % this.#frames.length;
      visit(this.#frames[slot] as Int16Array, this.#times[slot] as number);
    }
    return first * FRAME_MS;
  }
}
