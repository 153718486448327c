/** The time that one call has its thread for itself, ms. The call's entrances are nested: only the outermost one counts. */
export class ProcessorMeter {
  #depth = 0;
  #since = 0;
  #usedMs = 0;

  enter(): void {
    if (this.#depth === 0) this.#since = performance.now();
    this.#depth += 1;
  }

  leave(): void {
    this.#depth -= 1;
    if (this.#depth === 0) this.#usedMs += performance.now() - this.#since;
  }

  /** The time since the last question. */
  take(): number {
    const used = this.#usedMs;
    this.#usedMs = 0;
    return used;
  }
}
