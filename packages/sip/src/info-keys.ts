import type { DtmfDigit } from '@callwright/audio';
import type { Scheduler } from './ports.ts';

/** From the start of one key to the next, ms: the tone of 160 ms that an INFO asks for, and a pause. */
const KEY_MS = 250;
const MAX_QUEUED = 64;

type OnRefused = (digit: DtmfDigit) => void;

/**
 * The keys that we send in one dialog by INFO, in their order: each waits for the response to the one before, since INFOs may
 * overtake each other. Once the peer has refused one, it gets no more.
 */
export class InfoKeys {
  readonly #scheduler: Scheduler;
  readonly #send: (digit: DtmfDigit, done: (status: number | null) => void) => void;
  readonly #queue: { readonly digit: DtmfDigit; readonly onRefused: OnRefused }[] = [];
  /** The last key is without a response, or still sounds. */
  #isBusy = false;
  #isRefused = false;
  #isStopped = false;

  /** `send` sends one INFO; `done` gets the status of its response, or null: none came. */
  constructor(scheduler: Scheduler, send: (digit: DtmfDigit, done: (status: number | null) => void) => void) {
    this.#scheduler = scheduler;
    this.#send = send;
  }

  /** `onRefused`: the peer does not take the key this way. */
  press(digit: DtmfDigit, onRefused: OnRefused): void {
    if (this.#isStopped || this.#queue.length >= MAX_QUEUED) return;
    this.#queue.push({ digit, onRefused });
    this.#next();
  }

  /** The dialog is over: keys that wait are dropped. */
  stop(): void {
    this.#isStopped = true;
    this.#queue.length = 0;
  }

  #next(): void {
    if (this.#isBusy) return;
    const key = this.#queue.shift();
    if (key === undefined) return;
    if (this.#isRefused) {
      key.onRefused(key.digit);
      this.#next();
      return;
    }
    this.#isBusy = true;
    let left = 2;
    const step = (): void => {
      left -= 1;
      if (left > 0) return;
      this.#isBusy = false;
      this.#next();
    };
    this.#scheduler.after(KEY_MS, step);
    this.#send(key.digit, (status) => {
      if (!this.#isStopped && (status === null || status >= 300)) {
        this.#isRefused = status !== null;
        key.onRefused(key.digit);
      }
      step();
    });
  }
}
