import type { ReferOutcome } from './call.ts';
import type { SipRequest } from './message.ts';
import type { Scheduler } from './ports.ts';
import { isAboutReferral, Referral } from './referral.ts';

/** The transfers of one call that we ask for with REFER, one at a time (RFC 3515). */
export class Transfer {
  readonly #scheduler: Scheduler;
  #referral: Referral | null = null;
  #hasReferred = false;
  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  /** NOTIFYs of a transfer may arrive after its outcome. */
  get hasReferred(): boolean {
    return this.#hasReferred;
  }

  /** Resolves with the outcome of the transfer. `send` sends the REFER and calls `done` with its final status. Never rejects. */
  refer(
    isUp: boolean,
    timeoutMs: number,
    send: (done: (status: number | null) => void) => void,
  ): Promise<ReferOutcome> {
    return new Promise((resolve) => {
      if (!isUp || this.#referral !== null) {
        const reason = this.#referral === null ? 'the call is not up' : 'another transfer is in progress';
        resolve({ transferred: false, accepted: false, sipCode: null, reason });
        return;
      }
      const referral = new Referral(
        (outcome) => {
          this.#referral = null;
          resolve(outcome);
        },
        (run) => this.#scheduler.after(timeoutMs, run),
      );
      this.#referral = referral;
      this.#hasReferred = true;
      send((status) => referral.answered(status));
    });
  }

  /** True when the NOTIFY is about a transfer of ours: we subscribe to nothing else (RFC 6665 section 4.1.3). */
  expects(notify: SipRequest): boolean {
    return this.#hasReferred && isAboutReferral(notify);
  }

  notified(notify: SipRequest): void {
    this.#referral?.notified(notify);
  }

  receivedBye(): void {
    this.#referral?.receivedBye();
  }

  callEnded(): void {
    this.#referral?.end({ transferred: false, sipCode: null, reason: 'the call ended' });
  }
}
