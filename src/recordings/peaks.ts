import type { WavLayout } from './wav-file.ts';

/** Maximum number of points: more than a screen has columns. */
const POINTS = 2000;
const MIN_FRAMES_PER_POINT = 32;

/** A waveform in the JSON format of BBC audiowaveform, which waveform players read. */
export interface Peaks {
  readonly version: 2;
  readonly channels: number;
  readonly sample_rate: number;
  readonly samples_per_pixel: number;
  readonly bits: 8;
  /** Number of points. */
  readonly length: number;
  /** Point by point, channel by channel: minimum and maximum sample, -128 to 127. */
  readonly data: readonly number[];
}

/** Computes minimum and maximum per point from interleaved 16-bit samples, fed in chunks of whole frames. */
export class PeakMeter {
  readonly #layout: WavLayout;
  readonly #perPoint: number;
  readonly #data: number[] = [];
  readonly #low: number[];
  readonly #high: number[];
  #frames = 0;

  constructor(layout: WavLayout) {
    this.#layout = layout;
    const frames = Math.floor(layout.dataBytes / (layout.channels * 2));
    this.#perPoint = Math.max(MIN_FRAMES_PER_POINT, Math.ceil(frames / POINTS));
    this.#low = Array.from({ length: layout.channels }, () => 0);
    this.#high = [...this.#low];
  }

  write(piece: Buffer): void {
    const { channels } = this.#layout;
    for (let at = 0; at + channels * 2 <= piece.length; at += channels * 2) {
      for (let c = 0; c < channels; c += 1) {
        const value = piece.readInt16LE(at + c * 2);
        if (this.#frames === 0 || value < this.#low[c]!) this.#low[c] = value;
        if (this.#frames === 0 || value > this.#high[c]!) this.#high[c] = value;
      }
      this.#frames += 1;
      if (this.#frames === this.#perPoint) this.#point();
    }
  }

  finish(): Peaks {
    if (this.#frames > 0) this.#point();
    const { channels, sampleRate } = this.#layout;
    return {
      version: 2,
      channels,
      sample_rate: sampleRate,
      samples_per_pixel: this.#perPoint,
      bits: 8,
      length: this.#data.length / (channels * 2),
      data: this.#data,
    };
  }

  #point(): void {
    for (let c = 0; c < this.#layout.channels; c += 1) {
      this.#data.push(this.#low[c]! >> 8, this.#high[c]! >> 8);
    }
    this.#frames = 0;
  }
}
