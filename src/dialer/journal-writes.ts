import type { Log } from '../shared/log.ts';
import type { AttemptRef, Ringing } from '../store/attempts.ts';
import type { Talk } from '../workers/protocol.ts';
import type { AttemptEnding, AttemptLog, Ended } from './attempt-log.ts';

/**
 * The steps of one attempt on their way into the journal, in their order. A step that cannot be written is said in
 * the log, and told with the next one that can.
 */
export class JournalWrites {
  readonly #ref: AttemptRef;
  readonly #deps: { readonly attempts: AttemptLog; readonly log: Log };
  #last: Promise<unknown> = Promise.resolve();
  #missed: Ringing | null = null;
  #pieces = 0;

  constructor(ref: AttemptRef, deps: { readonly attempts: AttemptLog; readonly log: Log }) {
    this.#ref = ref;
    this.#deps = deps;
  }

  ringing(ringing: Ringing): void {
    this.#write('ringing', async () => {
      this.#missed = ringing;
      await this.#deps.attempts.ringing(this.#ref, ringing);
      this.#missed = null;
    });
  }

  /** `onGone` when the call is no longer this node's. */
  answered(at: number, onGone: () => void): void {
    this.#write('answered', async () => {
      const isOurs = await this.#deps.attempts.answered(this.#ref, at, this.#missed);
      this.#missed = null;
      if (!isOurs) onGone();
    });
  }

  optOut(): void {
    this.#write('opt-out', () => this.#deps.attempts.optOut(this.#ref));
  }

  callback(at: number): void {
    this.#write('callback', () => this.#deps.attempts.callback(this.#ref, at));
  }

  /** What came of the talk goes a way of its own: it holds up no step, and none holds it up. */
  talk(news: Talk): void {
    this.#pieces += 1;
    this.#deps.attempts.talk(this.#ref, this.#pieces, news);
  }

  /** Settles the attempt after every step before it. */
  async settle(ending: AttemptEnding): Promise<Ended> {
    await this.#last;
    return this.#deps.attempts.settle(this.#ref, ending, this.#missed);
  }

  #write(step: string, run: () => Promise<void>): void {
    this.#last = this.#last.then(run).catch((error: unknown) => {
      this.#deps.log.error({ err: error, callId: this.#ref.callId, step }, 'a call step was not journalled');
    });
  }
}
