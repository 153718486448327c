/**
 * Hands on so many messages in one step of its owner; the rest waits for the next steps, in order. Its entrance bounds how
 * many may come.
 */
export class StepQueue<T> {
  readonly #perStep: number;
  readonly #take: (message: T) => void;
  #waiting: T[] = [];
  #left: number;

  constructor(perStep: number, take: (message: T) => void) {
    this.#perStep = perStep;
    this.#take = take;
    this.#left = perStep;
  }

  push(message: T): void {
    this.#waiting.push(message);
    this.#run();
  }

  /** The next step begins. */
  step(): void {
    this.#left = this.#perStep;
    this.#run();
  }

  /** Forgets what waits. */
  clear(): void {
    this.#waiting = [];
  }

  #run(): void {
    while (this.#left > 0) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#left -= 1;
      this.#take(next);
    }
  }
}
