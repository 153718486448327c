/** Normalises a vector, so that a dot product is the cosine similarity. Null for the zero vector. */
export function unitVector(values: readonly number[]): Float32Array | null {
  let sum = 0;
  for (const value of values) sum += value * value;
  const length = Math.sqrt(sum);
  if (!Number.isFinite(length) || length === 0) return null;
  return Float32Array.from(values, (value) => value / length);
}

export const packVector = (vector: Float32Array): Buffer =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);

/** Copies packed vectors of equal length into one array. */
export function unpackVectors(packed: readonly Buffer[]): Float32Array {
  const bytes = packed[0]?.byteLength ?? 0;
  const all = new Float32Array((bytes / Float32Array.BYTES_PER_ELEMENT) * packed.length);
  const view = new Uint8Array(all.buffer);
  for (const [at, vector] of packed.entries()) view.set(vector.subarray(0, bytes), at * bytes);
  return all;
}

export interface Alike {
  /** Index of the vector. */
  readonly at: number;
  /** Cosine similarity, -1 to 1. */
  readonly likeness: number;
}

/** Keeps the best few of many vectors in order. */
export class MostAlike {
  readonly best: Alike[] = [];
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Compares `query` with the vectors `from` to `to` of an array; `offset` is added to their indexes. */
  look(vectors: Float32Array, query: Float32Array, from: number, to: number, offset = 0): void {
    const size = query.length;
    for (let at = from; at < to; at += 1) {
      const likeness = productAt(vectors, at * size, query);
      const last = this.best.at(-1);
      if (this.best.length < this.#most || (last !== undefined && likeness > last.likeness)) {
        this.#keep({ at: offset + at, likeness });
      }
    }
  }

  #keep(found: Alike): void {
    let place = this.best.length;
    while (place > 0 && this.best[place - 1]!.likeness < found.likeness) place -= 1;
    this.best.splice(place, 0, found);
    if (this.best.length > this.#most) this.best.pop();
  }
}

/** Four independent sums, so that the processor can add in parallel. */
function productAt(vectors: Float32Array, start: number, query: Float32Array): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  const whole = query.length - (query.length % 4);
  for (let i = 0; i < whole; i += 4) {
    const at = start + i;
    a += vectors[at]! * query[i]!;
    b += vectors[at + 1]! * query[i + 1]!;
    c += vectors[at + 2]! * query[i + 2]!;
    d += vectors[at + 3]! * query[i + 3]!;
  }
  for (let i = whole; i < query.length; i += 1) a += vectors[start + i]! * query[i]!;
  return a + b + c + d;
}
