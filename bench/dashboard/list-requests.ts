import type { Page, Request } from 'playwright-core';

/** Two frames: the first may have been prepared before. */
const PAINTED = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';
/** An action that has sent no request after this time shows a list that the page has read in the last seconds. */
const BEGINS_WITHIN_MS = 150;

/** The requests of a page for the calls list. */
export class ListRequests {
  readonly #page: Page;
  readonly #open = new Set<Request>();
  #begun = 0;
  #failure: Error | null = null;
  #changed: () => void = () => undefined;

  constructor(page: Page) {
    this.#page = page;
    const ended = (request: Request): void => {
      this.#open.delete(request);
      this.#changed();
    };
    page.on('request', (request) => {
      if (!request.url().includes('/calling/history')) return;
      this.#begun += 1;
      this.#open.add(request);
      this.#changed();
    });
    page.on('requestfinished', ended);
    // The page gives up a request whose list it no longer shows.
    page.on('requestfailed', ended);
    page.on('response', (response) => {
      if (response.url().includes('/calling/history') && !response.ok()) {
        this.#failure = new Error(`the list answered ${response.status()}`);
      }
    });
  }

  /** Milliseconds from an action to the frame that shows the list it asked for. */
  async time(act: () => Promise<unknown>): Promise<number> {
    const before = this.#begun;
    const begin = performance.now();
    await act();
    await this.#page.evaluate(PAINTED);
    const shown = performance.now() - begin;
    const until = begin + shown + BEGINS_WITHIN_MS;
    while (this.#begun === before && performance.now() < until) {
      await this.#next(until - performance.now());
    }
    if (this.#begun === before) return shown;
    while (this.#open.size > 0) await this.#next(null);
    await this.#page.evaluate(PAINTED);
    if (this.#failure !== null) throw this.#failure;
    return performance.now() - begin;
  }

  /** Resolves when a request begins or ends, or after `ms`. */
  #next(ms: number | null): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === null ? null : setTimeout(resolve, Math.max(0, ms));
      this.#changed = () => {
        if (timer !== null) clearTimeout(timer);
        resolve();
      };
    });
  }
}
