/**
 * Lets so many begin at once and the others in the rounds of the event loop after it: what comes in is heard in
 * between, however much there is to begin.
 */
export class Turns {
  readonly #atOnce: number;
  #waiting: (() => void)[] = [];
  #isScheduled = false;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Resolves when it is the caller's turn. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#isScheduled) return;
      this.#isScheduled = true;
      setImmediate(() => this.#round());
    });
  }

  #round(): void {
    const turn = this.#waiting.splice(0, this.#atOnce);
    this.#isScheduled = this.#waiting.length > 0;
    if (this.#isScheduled) setImmediate(() => this.#round());
    for (const begin of turn) begin();
  }
}
