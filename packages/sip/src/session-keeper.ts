import { glareMs } from './glare.ts';
import type { SipResponse } from './message.ts';
import type { Scheduler } from './ports.ts';
import { retryAfterMs } from './response.ts';
import { type RefreshMethod, type SessionEvent, type SessionState, stepSession } from './session-refresh.ts';
import { agreedTimer, MIN_SESSION_SECONDS, minimumOf, type SessionTimer } from './session-timer.ts';

/** Pause after a refused refresh that names none. */
const RETRY_MS = 10_000;

export interface SessionUser {
  /** Sends the refresh, and calls `done` with its final response; null: the network did not take it. */
  refresh(
    method: RefreshMethod,
    timer: { readonly seconds: number; readonly minSeconds: number },
    done: (response: SipResponse | null) => void,
  ): void;
  /** Nobody refreshed the session in time. */
  onExpired(): void;
}

/** Refreshes one session, or ends it when nobody does (RFC 4028). */
export class SessionKeeper {
  readonly #scheduler: Scheduler;
  readonly #ownsCallId: boolean;
  readonly #user: SessionUser;
  readonly #stopTimer = { refreshIn: (): void => {}, endIn: (): void => {} };
  #state: SessionState = { name: 'none' };
  #takesUpdate = false;
  #minSeconds = MIN_SESSION_SECONDS;
  constructor(scheduler: Scheduler, ownsCallId: boolean, user: SessionUser) {
    this.#scheduler = scheduler;
    this.#ownsCallId = ownsCallId;
    this.#user = user;
  }

  /** Interval of a session that we refresh; null: the peer refreshes it, or it has no timer. */
  get ours(): number | null {
    const state = this.#state;
    return state.name === 'waiting' || state.name === 'refreshing' ? state.seconds : null;
  }

  /** The timer of the session with the largest Min-SE that the peer demanded; null: it has none. */
  get timer(): (SessionTimer & { readonly minSeconds: number }) | null {
    const state = this.#state;
    if (!('seconds' in state)) return null;
    return { seconds: state.seconds, weRefresh: state.name !== 'peer', minSeconds: this.#minSeconds };
  }

  /** A 2xx agreed on this timer, or on none. `takesUpdate`: the peer allows UPDATE; absent: as before. */
  agreed(timer: SessionTimer | null, takesUpdate = this.#takesUpdate): void {
    this.#takesUpdate = takesUpdate;
    this.#dispatch({ kind: 'agreed', timer, takesUpdate, minSeconds: this.#minSeconds });
  }

  stop(): void {
    this.#state = { name: 'ended' };
    this.#stopTimer.refreshIn();
    this.#stopTimer.endIn();
  }

  #dispatch(event: SessionEvent): void {
    const { state, effects } = stepSession(this.#state, event);
    this.#state = state;
    for (const effect of effects) {
      switch (effect.kind) {
        case 'refresh': {
          const { method, ...timer } = effect;
          this.#minSeconds = timer.minSeconds;
          this.#user.refresh(method, timer, (response) => this.#refreshed(response));
          break;
        }
        case 'end':
          this.#user.onExpired();
          break;
        case 'refreshIn':
        case 'endIn':
          this.#wait(effect.kind, effect.ms);
      }
    }
  }

  #wait(kind: 'refreshIn' | 'endIn', ms: number | null): void {
    this.#stopTimer[kind]();
    if (ms === null) return;
    this.#stopTimer[kind] = this.#scheduler.after(ms, () =>
      this.#dispatch({ kind: kind === 'endIn' ? 'expired' : 'due' }),
    );
  }

  #refreshed(response: SipResponse | null): void {
    if (response !== null && response.status < 300) {
      this.agreed(agreedTimer(response));
      return;
    }
    const status = response?.status ?? null;
    const pauseMs = response === null ? null : retryAfterMs(response);
    this.#dispatch({
      kind: 'refused',
      status,
      minSeconds: response === null ? null : minimumOf(response),
      retryMs: status === 491 ? glareMs(this.#ownsCallId, Math.random()) : (pauseMs ?? RETRY_MS),
    });
  }
}
