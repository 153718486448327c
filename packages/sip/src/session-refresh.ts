import type { SessionTimer } from './session-timer.ts';

/** Who refreshes a session, and when it ends (RFC 4028 sections 7 and 10). Pure. */
export type SessionState =
  | { readonly name: 'none' | 'ended' }
  /** `peer`: the peer refreshes it; otherwise we do. */
  | (Session & { readonly name: 'peer' | 'waiting' | 'refreshing' });

interface Session {
  readonly seconds: number;
  /** The largest Min-SE that a 422 demanded. */
  readonly minSeconds: number;
  readonly method: RefreshMethod;
}

export type RefreshMethod = 'UPDATE' | 'INVITE';

export type SessionEvent =
  /** A 2xx of either side. `takesUpdate`: the peer allows UPDATE. */
  | {
      readonly kind: 'agreed';
      readonly timer: SessionTimer | null;
      readonly takesUpdate: boolean;
      readonly minSeconds: number;
    }
  /** The time of `refreshIn` has passed. */
  | { readonly kind: 'due' }
  /** The time of `endIn` has passed. */
  | { readonly kind: 'expired' }
  /** The peer refused our refresh; `status` null: the network did not take it. */
  | {
      readonly kind: 'refused';
      readonly status: number | null;
      /** Min-SE of a 422. */
      readonly minSeconds: number | null;
      /** Pause before the next refresh. */
      readonly retryMs: number;
    };

export type SessionEffect =
  /** Each replaces the timer of its kind; null stops it. */
  | { readonly kind: 'refreshIn' | 'endIn'; readonly ms: number | null }
  | {
      readonly kind: 'refresh';
      readonly method: RefreshMethod;
      readonly seconds: number;
      readonly minSeconds: number;
    }
  /** Nobody refreshed the session in time. */
  | { readonly kind: 'end' };

export interface SessionStep {
  readonly state: SessionState;
  readonly effects: readonly SessionEffect[];
}

/** No call lasts a day, and timers take 24 days at most. */
const LONGEST_SECONDS = 86_400;

export function stepSession(state: SessionState, event: SessionEvent): SessionStep {
  if (state.name === 'ended') return { state, effects: [] };
  if (event.kind === 'agreed') return agreed(event);
  if (state.name === 'none') return { state, effects: [] };
  if (event.kind === 'expired')
    return { state: { name: 'ended' }, effects: [{ kind: 'refreshIn', ms: null }, { kind: 'end' }] };
  if (event.kind === 'due') return state.name === 'waiting' ? refresh(state) : { state, effects: [] };
  return state.name === 'refreshing' ? refused(state, event) : { state, effects: [] };
}

function agreed({ timer, takesUpdate, minSeconds }: SessionEvent & { kind: 'agreed' }): SessionStep {
  if (timer === null) {
    const stopped = ['refreshIn', 'endIn'] as const;
    return { state: { name: 'none' }, effects: stopped.map((kind) => ({ kind, ms: null })) };
  }
  const { seconds, weRefresh } = timer;
  const live = Math.min(seconds, LONGEST_SECONDS);
  return {
    state: {
      name: weRefresh ? 'waiting' : 'peer',
      seconds,
      minSeconds,
      method: takesUpdate ? 'UPDATE' : 'INVITE',
    },
    effects: [
      // Section 7.2: the refresher refreshes when half of the interval has passed.
      { kind: 'refreshIn', ms: weRefresh ? live * 500 : null },
      // Section 10: a little before the session expires.
      { kind: 'endIn', ms: (live - Math.min(32, live / 3)) * 1000 },
    ],
  };
}

function refresh(state: SessionState & Session): SessionStep {
  const { method, seconds, minSeconds } = state;
  return {
    state: { ...state, name: 'refreshing' },
    effects: [{ kind: 'refresh', method, seconds, minSeconds }],
  };
}

function refused(state: SessionState & Session, event: SessionEvent & { kind: 'refused' }): SessionStep {
  const { status, minSeconds, retryMs } = event;
  if (status === 422 && minSeconds !== null && minSeconds > state.seconds)
    return refresh({ ...state, seconds: minSeconds, minSeconds });
  // The peer announced UPDATE and does not know it.
  if ((status === 405 || status === 501) && state.method === 'UPDATE')
    return refresh({ ...state, method: 'INVITE' });
  // A peer that refuses every UPDATE may take a re-INVITE.
  const method = status === null || status === 422 || status === 491 ? state.method : 'INVITE';
  return { state: { ...state, method, name: 'waiting' }, effects: [{ kind: 'refreshIn', ms: retryMs }] };
}
