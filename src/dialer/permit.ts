import { DIAL_PERMIT_MS, type PermitLimits } from '../domain/calls/attempt/dial.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { InviteGate } from '../telephony/sip/call.ts';
import type { AttemptJournal } from './journal.ts';

/**
 * The dial permit of one attempt: the right to send one INVITE within `DIAL_PERMIT_MS`. The SIP stack checks it right
 * before each INVITE and requests a new one for an INVITE that leaves later or once more with credentials.
 */
export class DialPermit implements InviteGate {
  readonly #journal: Pick<AttemptJournal, 'redial' | 'sent' | 'callId'>;
  readonly #clock: Clock;
  readonly #log: Log;
  #limits: PermitLimits;
  /** Monotonic, read before the gate request: the lifetime includes the time that the gate takes. */
  #requestedAt: number;
  #isUsed = false;

  constructor(
    journal: Pick<AttemptJournal, 'redial' | 'sent' | 'callId'>,
    limits: PermitLimits,
    requestedAt: number,
    deps: { readonly clock: Clock; readonly log: Log },
  ) {
    this.#journal = journal;
    this.#limits = limits;
    this.#requestedAt = requestedAt;
    this.#clock = deps.clock;
    this.#log = deps.log;
  }

  get ringUntil(): number | null {
    return this.#limits.ringUntil;
  }

  isOpen(): boolean {
    const { inviteUntil } = this.#limits;
    if (this.#isUsed || this.#clock.monotonic() - this.#requestedAt > DIAL_PERMIT_MS) return false;
    return inviteUntil === null || this.#clock.now() < inviteUntil;
  }

  async reopen(): Promise<boolean> {
    const requestedAt = this.#clock.monotonic();
    try {
      const decision = await this.#journal.redial();
      if (!decision.go) return false;
      this.#limits = decision;
      this.#requestedAt = requestedAt;
      this.#isUsed = false;
      return true;
    } catch (error) {
      const { callId } = this.#journal;
      this.#log.error({ err: error, callId }, 'the dial gate failed; the INVITE is not sent');
      return false;
    }
  }

  /** Uses the permit up: the INVITE has left. */
  sent(): void {
    this.#isUsed = true;
    this.#journal.sent();
  }
}
