import type { Scheduler } from './ports.ts';
import { header, headerTokens, type Header, type SipRequest } from './message.ts';
import type { Timing } from './transaction/types.ts';

/** True when the caller requires reliable provisional responses (RFC 3262). We send them only then. */
export const requiresReliability = (invite: SipRequest): boolean =>
  headerTokens(invite, 'require').some((tag) => tag.toLowerCase() === '100rel');

/** Retransmits one provisional response until its PRACK (RFC 3262 section 3). */
export class ReliableProvisional {
  readonly #invite: SipRequest;
  readonly #sequence: number;
  #stopTimers: () => void = () => {};
  #isAcknowledged = false;
  constructor(invite: SipRequest, random: () => number = Math.random) {
    this.#invite = invite;
    this.#sequence = 1 + Math.floor(random() * 0x7fff_fffe);
  }

  get headers(): readonly Header[] {
    return [
      { name: 'require', value: '100rel' },
      { name: 'rseq', value: String(this.#sequence) },
    ];
  }

  /** Sends at once and at doubling intervals; calls `onLost` after 64*T1 without PRACK. */
  start(scheduler: Scheduler, { t1Ms }: Timing, send: () => void, onLost: () => void): void {
    let cancelRepeat = (): void => {};
    const repeat = (intervalMs: number): void => {
      send();
      cancelRepeat = scheduler.after(intervalMs, () => repeat(intervalMs * 2));
    };
    const cancelLost = scheduler.after(64 * t1Ms, () => {
      this.stop();
      onLost();
    });
    this.#stopTimers = () => {
      cancelRepeat();
      cancelLost();
    };
    repeat(t1Ms);
  }

  stop(): void {
    this.#stopTimers();
  }

  /** True for the first PRACK of this response; a retransmitted one is absorbed by its transaction. */
  acknowledge(prack: SipRequest): boolean {
    const { sequence, method } = this.#invite.cseq;
    const expected = `${this.#sequence} ${sequence} ${method}`;
    if (header(prack, 'rack')?.trim().replace(/\s+/g, ' ') !== expected || this.#isAcknowledged) return false;
    this.#isAcknowledged = true;
    this.stop();
    return true;
  }
}
