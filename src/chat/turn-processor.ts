import type { Clock } from '../shared/clock.ts';
import { Budgets } from '../shared/ingress/budget.ts';

/**
 * A turn of the script engine takes a few ms of the thread that serves the API. A chat may use two seconds at once, and 2 % of
 * the thread for long: 500 messages an hour at 140 ms each.
 */
const PROCESSOR = { processorMs: { burst: 2_000, perSecond: 20 } };

/** Processor time of this thread so far, ms. */
function threadProcessorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The processor time that one turn uses. What waits for a vendor or the database uses none. */
export class TurnProcessor {
  readonly #now: () => number;
  #usedMs = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  get usedMs(): number {
    return this.#usedMs;
  }

  /** Counts the synchronous part of `work`. */
  run<T>(work: () => T): T {
    const from = this.#now();
    try {
      return work();
    } finally {
      this.#usedMs += this.#now() - from;
    }
  }
}

/** The processor time of the chats that this process answers, over all their turns. */
export class ChatProcessor {
  readonly #budgets = new Budgets(PROCESSOR);
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #now: () => number;

  constructor(clock: Pick<Clock, 'monotonic'>, now = threadProcessorMs) {
    this.#clock = clock;
    this.#now = now;
  }

  begin(): TurnProcessor {
    return new TurnProcessor(this.#now);
  }

  /** Charges the turn to its chat; false: the chat has used more than one may. */
  charge(chatId: string, { usedMs }: TurnProcessor): boolean {
    const at = this.#clock.monotonic();
    return this.#budgets.of(chatId, at).charge(usedMs, at);
  }
}
