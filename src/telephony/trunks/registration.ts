/** State machine of one registration (RFC 3261 section 10.2), pure: times and jitter are in the events. */
export type RegistrationState = {
  /** Expires of the next REGISTER; a 423 raises it. */
  readonly expiresSeconds: number;
  readonly failures: number;
} & (
  | { readonly name: 'idle' }
  | { readonly name: 'registering'; readonly wasRegistered: boolean }
  | { readonly name: 'registered' }
  | { readonly name: 'waiting' }
  | { readonly name: 'unregistering' }
  | { readonly name: 'unregistered' }
);

export type RegistrationEvent =
  | { readonly kind: 'start' }
  /** `jitter` is random in [0, 1). */
  | { readonly kind: 'accepted'; readonly grantedSeconds: number; readonly jitter: number }
  | { readonly kind: 'tooBrief'; readonly minSeconds: number; readonly jitter: number }
  | {
      readonly kind: 'failed';
      /** Null without a response. */
      readonly status: number | null;
      readonly retryAfterSeconds: number | null;
      readonly jitter: number;
    }
  | { readonly kind: 'due' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'unregisterDone' };

export type RegistrationEffect =
  | { readonly kind: 'register'; readonly expiresSeconds: number }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'cancelWait' };

export interface RegistrationStep {
  readonly state: RegistrationState;
  readonly effects: readonly RegistrationEffect[];
}

const DEFAULT_EXPIRES_SECONDS = 300;
const MAX_EXPIRES_SECONDS = 7_200;
const BASE_MS = 2_000;
const MAX_MS = 300_000;
/** Minimum wait after refused credentials, so that retries do not lock the account. */
const REFUSED_MS = 60_000;

export const newRegistration: RegistrationState = {
  name: 'idle',
  expiresSeconds: DEFAULT_EXPIRES_SECONDS,
  failures: 0,
};

/** True while the registrar holds our Contact. */
export const isRegistered = (state: RegistrationState): boolean =>
  state.name === 'registered' || (state.name === 'registering' && state.wasRegistered);

export function stepRegistration(state: RegistrationState, event: RegistrationEvent): RegistrationStep {
  if (event.kind === 'stop') return stopping(state);
  switch (state.name) {
    case 'idle':
      return event.kind === 'start' ? register(state, false) : { state, effects: [] };
    case 'registered':
    case 'waiting':
      return event.kind === 'due' ? register(state, state.name === 'registered') : { state, effects: [] };
    case 'registering':
      return registering(state, event);
    case 'unregistering':
      return event.kind === 'unregisterDone'
        ? { state: { ...state, name: 'unregistered' }, effects: [] }
        : { state, effects: [] };
    case 'unregistered':
      break;
  }
  return { state, effects: [] };
}

function register(state: RegistrationState, wasRegistered: boolean): RegistrationStep {
  const { expiresSeconds, failures } = state;
  return {
    state: { name: 'registering', wasRegistered, expiresSeconds, failures },
    effects: [{ kind: 'register', expiresSeconds }],
  };
}

function registering(
  state: RegistrationState & { name: 'registering' },
  event: RegistrationEvent,
): RegistrationStep {
  const { expiresSeconds } = state;
  if (event.kind === 'accepted') {
    // Refresh with 15 to 25 per cent of the time left, so that a lost refresh can be repeated.
    const ms = Math.max(1_000, event.grantedSeconds * 1000 * (0.75 + 0.1 * event.jitter));
    return {
      state: { name: 'registered', expiresSeconds, failures: 0 },
      effects: [{ kind: 'wait', ms: Math.round(ms) }],
    };
  }
  if (
    event.kind === 'tooBrief' &&
    event.minSeconds > expiresSeconds &&
    event.minSeconds <= MAX_EXPIRES_SECONDS
  ) {
    return register({ ...state, expiresSeconds: event.minSeconds }, state.wasRegistered);
  }
  if (event.kind !== 'failed' && event.kind !== 'tooBrief') return { state, effects: [] };
  const failures = state.failures + 1;
  const status = event.kind === 'failed' ? event.status : 423;
  const retryAfter = event.kind === 'failed' ? event.retryAfterSeconds : null;
  return {
    state: { name: 'waiting', expiresSeconds, failures },
    effects: [{ kind: 'wait', ms: backOffMs(failures, status, retryAfter, event.jitter) }],
  };
}

/** Exponential backoff with a jitter of one half; at least Retry-After, up to an hour. */
function backOffMs(
  failures: number,
  status: number | null,
  retryAfterSeconds: number | null,
  jitter: number,
): number {
  const refused = status === 401 || status === 403 || status === 407;
  const base = refused ? REFUSED_MS : BASE_MS;
  const ms = Math.min(MAX_MS, base * 2 ** Math.min(failures - 1, 10)) * (0.5 + 0.5 * jitter);
  return Math.round(Math.max(ms, Math.min(retryAfterSeconds ?? 0, 3_600) * 1000));
}

function stopping(state: RegistrationState): RegistrationStep {
  const { expiresSeconds, failures } = state;
  if (state.name === 'unregistering' || state.name === 'unregistered') return { state, effects: [] };
  // A pending REGISTER may succeed, so it needs an un-REGISTER as well.
  if (state.name === 'registered' || state.name === 'registering') {
    return {
      state: { name: 'unregistering', expiresSeconds, failures },
      effects: [{ kind: 'cancelWait' }, { kind: 'register', expiresSeconds: 0 }],
    };
  }
  return { state: { name: 'unregistered', expiresSeconds, failures }, effects: [{ kind: 'cancelWait' }] };
}
