/** A missing chunk is given up when so many later ones wait for it. */
const PATIENCE = 2;

/** Restores the order of numbered chunks of audio; a chunk that comes twice, or too late, is dropped. */
export class ChunkOrder {
  readonly #held = new Map<number, Buffer>();
  #next = 1;
  #lost = 0;
  #late = 0;

  /** Chunks that were given up. */
  get lost(): number {
    return this.#lost;
  }

  /** Chunks that came after they were given up, or twice. */
  get late(): number {
    return this.#late;
  }

  /** The chunks that are due now, in their order. `chunk` counts from 1. */
  push(chunk: number, audio: Buffer): Buffer[] {
    if (chunk < this.#next || this.#held.has(chunk)) {
      this.#late += 1;
      return [];
    }
    this.#held.set(chunk, audio);
    const due: Buffer[] = [];
    while (this.#held.size > 0) {
      const next = this.#held.get(this.#next);
      if (next !== undefined) {
        this.#held.delete(this.#next);
        this.#next += 1;
        due.push(next);
      } else if (this.#held.size <= PATIENCE) break;
      else {
        const first = Math.min(...this.#held.keys());
        this.#lost += first - this.#next;
        this.#next = first;
      }
    }
    return due;
  }
}
