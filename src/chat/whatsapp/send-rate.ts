/** Token bucket per number: `perSecond` messages, with a burst of one second. */
export class SendRate {
  readonly #perSecond: number;
  readonly #numbers = new Map<string, { tokens: number; at: number }>();

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Takes up to `most` messages of a number at `now` ms; returns how many it may send. */
  take(numberId: string, now: number, most: number): number {
    const kept = this.#numbers.get(numberId) ?? { tokens: this.#perSecond, at: now };
    const tokens = Math.min(this.#perSecond, kept.tokens + ((now - kept.at) / 1_000) * this.#perSecond);
    const taken = Math.max(0, Math.min(most, Math.floor(tokens)));
    this.#numbers.set(numberId, { tokens: tokens - taken, at: now });
    return taken;
  }

  /** Returns tokens that were taken but not used. */
  giveBack(numberId: string, count: number): void {
    const kept = this.#numbers.get(numberId);
    if (kept !== undefined) kept.tokens = Math.min(this.#perSecond, kept.tokens + count);
  }
}
