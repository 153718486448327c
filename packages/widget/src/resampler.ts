/** Zero crossings of the sinc on either side. */
const LOBES = 12;
const STEPS = 128;

/** A windowed sinc, sampled `STEPS` times per zero crossing. */
const KERNEL = Float32Array.from({ length: LOBES * STEPS + 2 }, (_, index) => {
  const x = index / STEPS;
  if (x >= LOBES) return 0;
  const sinc = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
  return sinc * (0.5 + 0.5 * Math.cos((Math.PI * x) / LOBES));
});

/** Converts a mono stream between sample rates, without a gap between pieces. Pure. */
export class Resampler {
  readonly #ratio: number;
  /** Zero crossings per input sample: below 1 the kernel is also the anti-aliasing filter. */
  readonly #scale: number;
  readonly #reach: number;
  #input: Float32Array;
  #filled: number;
  /** Position of the next output sample in `#input`. */
  #at: number;

  constructor(from: number, to: number) {
    this.#ratio = from / to;
    this.#scale = Math.min(1, to / from) * 0.94;
    this.#reach = Math.ceil(LOBES / this.#scale);
    this.#input = new Float32Array(4096);
    this.#filled = this.#reach;
    this.#at = this.#reach;
  }

  push(samples: Float32Array): void {
    if (this.#filled + samples.length > this.#input.length) {
      const grown = new Float32Array((this.#filled + samples.length) * 2);
      grown.set(this.#input.subarray(0, this.#filled));
      this.#input = grown;
    }
    this.#input.set(samples, this.#filled);
    this.#filled += samples.length;
  }

  /** Output samples that the input so far suffices for. */
  get available(): number {
    const last = this.#filled - this.#reach - 1 - this.#at;
    return last < 0 ? 0 : Math.floor(last / this.#ratio) + 1;
  }

  /** Fills `out` as far as the input goes; returns the samples written. */
  pull(out: Float32Array): number {
    const count = Math.min(out.length, this.available);
    for (let index = 0; index < count; index++) {
      out[index] = this.#sample(this.#at);
      this.#at += this.#ratio;
    }
    this.#trim();
    return count;
  }

  /** Forgets all input. */
  clear(): void {
    this.#input.fill(0);
    this.#filled = this.#reach;
    this.#at = this.#reach;
  }

  #sample(at: number): number {
    const first = Math.ceil(at - this.#reach);
    const last = Math.floor(at + this.#reach);
    let sum = 0;
    for (let index = first; index <= last; index++) {
      const place = Math.abs(index - at) * this.#scale * STEPS;
      const step = place | 0;
      if (step >= LOBES * STEPS) continue;
      const low = KERNEL[step] as number;
      sum += (this.#input[index] ?? 0) * (low + ((KERNEL[step + 1] as number) - low) * (place - step));
    }
    return sum * this.#scale;
  }

  /** Drops input that no later sample needs. */
  #trim(): void {
    const used = Math.floor(this.#at) - this.#reach - 1;
    if (used < 2048) return;
    this.#input.copyWithin(0, used, this.#filled);
    this.#filled -= used;
    this.#at -= used;
  }
}
