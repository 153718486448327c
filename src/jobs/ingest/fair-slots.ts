/**
 * A semaphore shared by workspaces: at most `total` tasks run at the same time, at most `perKey` of one key, the others
 * wait. A free slot goes to the oldest waiting task whose key is below its bound.
 */
export class FairSlots {
  readonly #limits: { readonly total: number; readonly perKey: number };
  readonly #running = new Map<string, number>();
  readonly #waiting: { readonly key: string; readonly start: () => void }[] = [];
  #total = 0;

  constructor(limits: { readonly total: number; readonly perKey: number }) {
    this.#limits = limits;
  }

  /** Runs the task in a slot of `key`. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => {
      this.#waiting.push({ key, start: resolve });
      this.#startNext();
    });
    try {
      return await task();
    } finally {
      this.#total -= 1;
      const left = (this.#running.get(key) ?? 1) - 1;
      if (left > 0) this.#running.set(key, left);
      else this.#running.delete(key);
      this.#startNext();
    }
  }

  #startNext(): void {
    if (this.#total >= this.#limits.total) return;
    const at = this.#waiting.findIndex(({ key }) => (this.#running.get(key) ?? 0) < this.#limits.perKey);
    const [next] = at < 0 ? [] : this.#waiting.splice(at, 1);
    if (next === undefined) return;
    this.#total += 1;
    this.#running.set(next.key, (this.#running.get(next.key) ?? 0) + 1);
    next.start();
  }
}
