import { afterTaking, FULL, type FullAt, isFull, type Rate, waitMs } from './bucket.ts';

/** What one owner may send or use; absent: without a limit. */
export interface Limits {
  readonly messages?: Rate;
  readonly bytes?: Rate;
  readonly processorMs?: Rate;
}

/** What one connection, address, key or workspace has left. All times are of a clock that never jumps. */
export class Budget {
  readonly #limits: Limits;
  #messages: FullAt = FULL;
  #bytes: FullAt = FULL;
  #processor: FullAt = FULL;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** How long until a message of so many bytes fits, ms; 0: now. */
  waitMs(bytes: number, at: number): number {
    const { messages, bytes: volume, processorMs } = this.#limits;
    let wait = messages === undefined ? 0 : waitMs(this.#messages, messages, 1, at);
    if (volume !== undefined) wait = Math.max(wait, waitMs(this.#bytes, volume, bytes, at));
    // Processor time is charged after its use: a message needs a budget that is not overdrawn.
    return processorMs === undefined ? wait : Math.max(wait, waitMs(this.#processor, processorMs, 0, at));
  }

  /** Takes a message without a look at what is left. */
  spend(bytes: number, at: number): void {
    const { messages, bytes: volume } = this.#limits;
    if (messages !== undefined) this.#messages = afterTaking(this.#messages, messages, 1, at);
    if (volume !== undefined) this.#bytes = afterTaking(this.#bytes, volume, bytes, at);
  }

  /** Takes a message of so many bytes; false: it does not fit, and nothing was taken. */
  take(bytes: number, at: number): boolean {
    if (this.waitMs(bytes, at) > 0) return false;
    this.spend(bytes, at);
    return true;
  }

  /** Charges processor time that was used; false: more was used than the budget had. */
  charge(ms: number, at: number): boolean {
    const { processorMs } = this.#limits;
    if (processorMs === undefined) return true;
    this.#processor = afterTaking(this.#processor, processorMs, ms, at);
    return waitMs(this.#processor, processorMs, 0, at) === 0;
  }

  /** Nothing was used that has not come back: a new budget is the same. */
  isFull(at: number): boolean {
    return isFull(this.#messages, at) && isFull(this.#bytes, at) && isFull(this.#processor, at);
  }
}

/**
 * The budgets of one kind of owner, such as all addresses. Owners that used nothing lately are forgotten. When the map is
 * full of others, new owners share one budget, so that a flood of new names makes no room for itself.
 */
export class Budgets {
  readonly #limits: Limits;
  readonly #most: number;
  readonly #known = new Map<string, Budget>();
  readonly #shared: Budget;

  constructor(limits: Limits, most = 20_000) {
    this.#limits = limits;
    this.#most = most;
    this.#shared = new Budget(limits);
  }

  get size(): number {
    return this.#known.size;
  }

  of(owner: string, at: number): Budget {
    const known = this.#known.get(owner);
    if (known !== undefined) {
      // The map stays in the order of last use.
      this.#known.delete(owner);
      this.#known.set(owner, known);
      return known;
    }
    if (this.#known.size >= this.#most && !this.#forgetOldest(at)) return this.#shared;
    const made = new Budget(this.#limits);
    this.#known.set(owner, made);
    return made;
  }

  /** Forgets the owner that was silent for longest, if its budget is full; false: it is not. */
  #forgetOldest(at: number): boolean {
    const [oldest] = this.#known;
    if (oldest?.[1].isFull(at) !== true) return false;
    this.#known.delete(oldest[0]);
    return true;
  }
}
