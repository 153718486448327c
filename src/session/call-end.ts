import type { EndReason } from '@callwright/turns';
import type { SessionDeps } from './session-deps.ts';

/** BYE waits this long, until the far side has played our last frame. */
const TAIL_MS = 160;

/** How a call ended; the first cause wins. Hangs up once. */
export class CallEnd {
  readonly #deps: Pick<SessionDeps, 'scheduler' | 'onHangup'>;
  #reason: EndReason | null = null;
  #at = 0;
  /** Nothing of ours is left to play at the far side. */
  #isSilent = false;
  #cancelHangup: (() => void) | null = null;

  constructor(deps: Pick<SessionDeps, 'scheduler' | 'onHangup'>) {
    this.#deps = deps;
  }

  /** Null: the call continues. */
  get reason(): EndReason | null {
    return this.#reason;
  }

  get at(): number {
    return this.#at;
  }

  /** The far side has left, or the session closes: no hangup waits any more. */
  silence(): void {
    this.#isSilent = true;
  }

  /** Drops a hangup that waits. */
  cancelHangup(): void {
    this.#cancelHangup?.();
  }

  /** Ends the call; false: it had ended. */
  end(reason: EndReason, at: number): boolean {
    if (this.#reason !== null) return false;
    this.#reason = reason;
    this.#at = at;
    return true;
  }

  /** Hangs up: at once, or after our last frame. */
  hangUp(reason: EndReason): void {
    if (this.#isSilent || reason === 'MEDIA_TIMEOUT') this.#deps.onHangup(reason);
    else this.#cancelHangup = this.#deps.scheduler.after(TAIL_MS, () => this.#deps.onHangup(reason));
  }
}
