/**
 * Discrete Fourier transforms of one length, which has no other prime factors than 2, 3 and 5. Sample `order[i]` of the
 * input goes to place `i` of `re` and `im`; `transform` leaves the spectrum there.
 */
export class Fourier {
  readonly size: number;
  readonly order: Int32Array;
  readonly re: Float64Array;
  readonly im: Float64Array;
  readonly #cos: Float64Array;
  readonly #sin: Float64Array;
  /** Radix of each stage, from the shortest transforms on. */
  readonly #stages: readonly number[];
  readonly #partRe = new Float64Array(5);
  readonly #partIm = new Float64Array(5);

  constructor(size: number) {
    this.size = size;
    this.re = new Float64Array(size);
    this.im = new Float64Array(size);
    const turns = Array.from({ length: size }, (_, i) => (-2 * Math.PI * i) / size);
    this.#cos = Float64Array.from(turns, Math.cos);
    this.#sin = Float64Array.from(turns, Math.sin);
    this.#stages = factorsOf(size);
    this.order = new Int32Array(size);
    for (let i = 0; i < size; i++) {
      let [rest, place, length] = [i, 0, size];
      for (const radix of this.#stages.toReversed()) {
        length /= radix;
        place += (rest % radix) * length;
        rest = Math.floor(rest / radix);
      }
      this.order[place] = i;
    }
  }

  transform(): void {
    let length = 1;
    for (const radix of this.#stages) {
      if (radix === 2) this.#joinPairs(length);
      else this.#join(length, radix);
      length *= radix;
    }
  }

  /** Joins pairs of transforms of `length`. */
  #joinPairs(length: number): void {
    const { re, im, size } = this;
    const [cos, sin] = [this.#cos, this.#sin];
    const step = size / (2 * length);
    for (let q = 0; q < length; q++) {
      const c = cos[q * step] as number;
      const s = sin[q * step] as number;
      for (let i = q; i < size; i += 2 * length) {
        const j = i + length;
        const x = re[j] as number;
        const y = im[j] as number;
        const a = x * c - y * s;
        const b = x * s + y * c;
        const u = re[i] as number;
        const v = im[i] as number;
        re[j] = u - a;
        im[j] = v - b;
        re[i] = u + a;
        im[i] = v + b;
      }
    }
  }

  /** Joins groups of `radix` transforms of `length`. */
  #join(length: number, radix: number): void {
    const { re, im, size } = this;
    const [cos, sin, partRe, partIm] = [this.#cos, this.#sin, this.#partRe, this.#partIm];
    const step = size / (radix * length);
    for (let q = 0; q < length; q++) {
      for (let i = q; i < size; i += radix * length) {
        for (let k = 0; k < radix; k++) {
          const c = cos[k * q * step] as number;
          const s = sin[k * q * step] as number;
          const x = re[i + k * length] as number;
          const y = im[i + k * length] as number;
          partRe[k] = x * c - y * s;
          partIm[k] = x * s + y * c;
        }
        for (let p = 0; p < radix; p++) {
          let a = 0;
          let b = 0;
          for (let k = 0; k < radix; k++) {
            const turn = ((k * p) % radix) * (size / radix);
            const c = cos[turn] as number;
            const s = sin[turn] as number;
            const x = partRe[k] as number;
            const y = partIm[k] as number;
            a += x * c - y * s;
            b += x * s + y * c;
          }
          re[i + p * length] = a;
          im[i + p * length] = b;
        }
      }
    }
  }
}

/** Fives and threes before twos. */
function factorsOf(size: number): number[] {
  const factors: number[] = [];
  let rest = size;
  for (const factor of [5, 3, 2]) {
    for (; rest % factor === 0; rest /= factor) factors.push(factor);
  }
  if (rest !== 1) throw new RangeError(`${size} has a prime factor other than 2, 3 and 5`);
  return factors;
}
