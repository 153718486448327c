import type { Scheduler } from '../clock.ts';
import type { Budget } from './budget.ts';
import { afterTaking, FULL, type FullAt, type Rate, waitMs } from './bucket.ts';
import type { MessageSocket } from './message-socket.ts';

/** A connection whose messages do not fit its budget is closed after so many of them. */
export interface Patience {
  readonly drops: Rate;
  /** Says why the connection is closed. */
  readonly reason: string;
}

/** What one connection, or several that follow each other, has left. */
export class Meter {
  readonly #budgetOf: (isBinary: boolean) => Budget;
  readonly #patience: Patience;
  #drops: FullAt = FULL;
  #dropped = 0;

  constructor(budgetOf: (isBinary: boolean) => Budget, patience: Patience) {
    this.#budgetOf = budgetOf;
    this.#patience = patience;
  }

  get dropped(): number {
    return this.#dropped;
  }

  get reason(): string {
    return this.#patience.reason;
  }

  /** How long a message has to wait, ms; 0: it was taken. */
  take(bytes: number, isBinary: boolean, at: number): number {
    const budget = this.#budgetOf(isBinary);
    const wait = budget.waitMs(bytes, at);
    if (wait === 0) budget.spend(bytes, at);
    return wait;
  }

  /** Counts a message that was dropped; false: it was one too many. */
  drop(at: number): boolean {
    this.#dropped += 1;
    const { drops } = this.#patience;
    if (waitMs(this.#drops, drops, 1, at) > 0) return false;
    this.#drops = afterTaking(this.#drops, drops, 1, at);
    return true;
  }
}

/** A connection that was told to close gets this long to take the code. */
const CLOSE_MS = 1_000;
/** The longest pause: the connection's pings and its close are not read meanwhile. */
const LONGEST_PAUSE_MS = 1_000;

export interface MeteredSocketOptions {
  readonly meter: Meter;
  readonly scheduler: Pick<Scheduler, 'after'>;
  /** Of a clock that never jumps, ms. */
  readonly now: () => number;
  readonly onMessage: (data: Buffer, isBinary: boolean) => void;
  /** A message was dropped; `isLast`: the connection is closed for it. */
  readonly onDropped?: (isLast: boolean, isBinary: boolean) => void;
}

/**
 * Receives the messages of a connection within its budget. One that does not fit is dropped before it is parsed, and the
 * connection is not read until the next one would fit, so that the flood waits at its sender. After too many drops the
 * connection is closed with 1008.
 */
export function receiveMetered(socket: MessageSocket, options: MeteredSocketOptions): void {
  const { meter, scheduler, now, onMessage, onDropped } = options;
  let isPaused = false;
  let isRefused = false;
  const resume = (): void => {
    isPaused = false;
    if (!isRefused) socket.resume();
  };
  const fits = (bytes: number, isBinary: boolean): boolean => {
    if (isRefused) return false;
    const at = now();
    const wait = meter.take(bytes, isBinary, at);
    if (wait === 0) return true;
    isRefused = !meter.drop(at);
    onDropped?.(isRefused, isBinary);
    if (isRefused) refuse(socket, scheduler, meter.reason);
    else if (!isPaused) {
      isPaused = true;
      socket.pause();
      scheduler.after(Math.min(wait, LONGEST_PAUSE_MS), resume);
    }
    return false;
  };
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (fits(data.length, isBinary)) onMessage(data, isBinary);
  });
  // Each costs an answer or a look, and no message.
  socket.on('ping', () => void fits(0, false));
  socket.on('pong', () => void fits(0, false));
}

function refuse(socket: MessageSocket, scheduler: Pick<Scheduler, 'after'>, reason: string): void {
  socket.close(1008, reason);
  socket.pause();
  scheduler.after(CLOSE_MS, () => socket.terminate());
}
