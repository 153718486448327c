import type { SipResponse } from './message.ts';
import type { Scheduler } from './ports.ts';
import type { Timing } from './transaction/types.ts';
import type { ServerTransaction } from './transaction-user.ts';

/** What becomes of an answered INVITE: its ACK, perhaps with SDP, or none in 64*T1. */
export interface AnswerOutcome {
  readonly onAck: (sdp: string | null) => void;
  readonly onLost: () => void;
}

/** The INVITEs of the peer that we answered with 2xx: each 2xx goes out again until its ACK (RFC 3261 section 13.3.1.4). */
export class AnsweredInvites {
  readonly #scheduler: Scheduler;
  readonly #timing: Timing;
  readonly #waiting = new Map<
    number,
    { readonly onAck: AnswerOutcome['onAck']; readonly stop: () => void }
  >();
  constructor(scheduler: Scheduler, timing: Timing) {
    this.#scheduler = scheduler;
    this.#timing = timing;
  }

  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  answer(transaction: ServerTransaction, response: SipResponse, outcome: AnswerOutcome): void {
    const { sequence } = transaction.request.cseq;
    let cancelRepeat = (): void => {};
    const repeat = (intervalMs: number): void => {
      transaction.respond(response);
      const next = Math.min(intervalMs * 2, this.#timing.t2Ms);
      cancelRepeat = this.#scheduler.after(intervalMs, () => repeat(next));
    };
    const cancelLost = this.#scheduler.after(64 * this.#timing.t1Ms, () => {
      cancelRepeat();
      this.#waiting.delete(sequence);
      outcome.onLost();
    });
    const stop = (): void => {
      cancelRepeat();
      cancelLost();
    };
    this.#waiting.set(sequence, { onAck: outcome.onAck, stop });
    repeat(this.#timing.t1Ms);
  }

  acknowledged(sequence: number, sdp: string | null): void {
    const answered = this.#waiting.get(sequence);
    if (answered === undefined) return;
    this.#waiting.delete(sequence);
    answered.stop();
    answered.onAck(sdp);
  }

  stop(): void {
    for (const { stop } of this.#waiting.values()) stop();
    this.#waiting.clear();
  }
}
