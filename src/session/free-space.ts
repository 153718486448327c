import { statfs } from 'node:fs/promises';

/** A reading of the file system is cached this long. */
const CACHED_MS = 1000;

/** Whether a disk has more free space than a reserve, kept for others on it such as a database. */
export class FreeSpace {
  readonly #folder: string;
  readonly #reserveBytes: number;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<boolean> = Promise.resolve(true);

  /** A reserve of 0 switches the check off. */
  constructor(folder: string, reserveBytes: number) {
    this.#folder = folder;
    this.#reserveBytes = reserveBytes;
  }

  isAvailable(): Promise<boolean> {
    if (this.#reserveBytes === 0) return this.#reading;
    const now = performance.now();
    if (now - this.#readAt >= CACHED_MS) {
      this.#readAt = now;
      this.#reading = statfs(this.#folder).then(
        ({ bavail, bsize }) => bavail * bsize > this.#reserveBytes,
        // A broken disk is reported by the write that fails on it.
        () => true,
      );
    }
    return this.#reading;
  }
}
