/** Aborts a request that exceeds the time limit for the first output, or between two events. */
export class ReplyTimeouts {
  readonly #late = new AbortController();
  readonly #betweenMs: number;
  #timer: NodeJS.Timeout;
  #hasOutput = false;

  constructor(limits: { readonly firstMs: number; readonly betweenMs: number }) {
    this.#betweenMs = limits.betweenMs;
    this.#timer = setTimeout(() => this.#late.abort(), limits.firstMs);
  }

  get signal(): AbortSignal {
    return this.#late.signal;
  }

  /** First output: starts the gap timeout. */
  output(): void {
    if (this.#hasOutput) return;
    this.#hasOutput = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#late.abort(), this.#betweenMs);
  }

  /** Any event: restarts the gap timeout. */
  alive(): void {
    if (this.#hasOutput) this.#timer.refresh();
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
