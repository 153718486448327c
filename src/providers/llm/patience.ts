/** Aborts a request whose first output, or anything after it, takes too long. */
export class Patience {
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

  /** A word or a tool call has come. */
  output(): void {
    if (this.#hasOutput) return;
    this.#hasOutput = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#late.abort(), this.#betweenMs);
  }

  /** Something has come. */
  alive(): void {
    if (this.#hasOutput) this.#timer.refresh();
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
