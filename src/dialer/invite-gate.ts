import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { AttemptRef } from '../store/attempts.ts';
import type { InviteGate } from '../telephony/leg.ts';
import type { AttemptLog, DialWord } from './attempt-log.ts';

/**
 * The longest from the journal's word to the INVITE. Whoever stops calls waits as long and then knows that none is on
 * its way; a process that was held up for longer asks again.
 */
const INVITE_WITHIN_MS = 800;

interface GateDeps {
  readonly attempts: Pick<AttemptLog, 'dialing' | 'redialing' | 'sent'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** The last gate of one attempt: what it said, for as long as that holds. */
export class DialGate implements InviteGate {
  readonly #deps: GateDeps;
  readonly #attempt: AttemptRef;
  #word: DialWord;
  /** On the monotonic clock. */
  #askedAt: number;
  #isUsed = false;

  private constructor(deps: GateDeps, attempt: AttemptRef, word: DialWord, askedAt: number) {
    this.#deps = deps;
    this.#attempt = attempt;
    this.#word = word;
    this.#askedAt = askedAt;
  }

  /** Null: nothing may be sent. */
  static async ask(deps: GateDeps, attempt: AttemptRef): Promise<DialGate | null> {
    const askedAt = deps.clock.monotonic();
    const word = await deps.attempts.dialing(attempt);
    return word === null ? null : new DialGate(deps, attempt, word, askedAt);
  }

  get ringUntil(): number | null {
    return this.#word.ringUntil;
  }

  isOpen(): boolean {
    const { clock } = this.#deps;
    const { inviteUntil } = this.#word;
    if (this.#isUsed || clock.monotonic() - this.#askedAt > INVITE_WITHIN_MS) return false;
    return inviteUntil === null || clock.now() < inviteUntil;
  }

  async reopen(): Promise<boolean> {
    const { attempts, clock, log } = this.#deps;
    const askedAt = clock.monotonic();
    try {
      const word = await attempts.redialing(this.#attempt);
      if (word === null) return false;
      this.#word = word;
      this.#askedAt = askedAt;
      this.#isUsed = false;
      return true;
    } catch (error) {
      log.error({ err: error, callId: this.#attempt.callId }, 'an attempt could not be journalled again');
      return false;
    }
  }

  /** The INVITE has left: whoever waits for it need not any more, and another one has to be asked for. */
  sent(): void {
    this.#isUsed = true;
    this.#deps.attempts.sent(this.#attempt).catch((error: unknown) => {
      const { callId } = this.#attempt;
      this.#deps.log.warn({ err: error, callId }, 'the sending of an INVITE was not noted');
    });
  }
}
