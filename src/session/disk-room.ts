import { statfs } from 'node:fs/promises';

/** How old an answer of the file system may be. */
const ASK_MS = 1000;

/** Whether a disk has room beyond what is kept free on it for others, such as a database that shares it. */
export class DiskRoom {
  readonly #folder: string;
  readonly #keepFree: number;
  #askedAt = Number.NEGATIVE_INFINITY;
  #answer: Promise<boolean> = Promise.resolve(true);

  /** `keepFree` is bytes; 0: the disk may be filled. */
  constructor(folder: string, keepFree: number) {
    this.#folder = folder;
    this.#keepFree = keepFree;
  }

  has(): Promise<boolean> {
    if (this.#keepFree === 0) return this.#answer;
    const now = performance.now();
    if (now - this.#askedAt >= ASK_MS) {
      this.#askedAt = now;
      this.#answer = statfs(this.#folder).then(
        ({ bavail, bsize }) => bavail * bsize > this.#keepFree,
        // What is wrong with the disk shows when it is written to.
        () => true,
      );
    }
    return this.#answer;
  }
}
