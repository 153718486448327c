import { parseDecimal, parseParams } from './grammar.ts';
import { header, headerTokens, type Header, type SipMessage, type SipRequest } from './message.ts';

/** The smallest interval of RFC 4028 section 4. */
export const MIN_SESSION_SECONDS = 90;
/** The interval that we offer (the value that RFC 4028 section 4 recommends). */
export const SESSION_SECONDS = 1_800;
/** A peer that demands a longer interval gets no second INVITE. */
const MAX_SESSION_SECONDS = 86_400;

/** The session timer of a dialog (RFC 4028). */
export interface SessionTimer {
  readonly seconds: number;
  /** False: the peer refreshes the session. */
  readonly weRefresh: boolean;
}

/** The timer that we accept, with the headers of our 2xx. */
export interface AcceptedTimer extends SessionTimer {
  readonly headers: readonly Header[];
}

const supports = (message: SipMessage, name: string): boolean =>
  headerTokens(message, name).some((tag) => tag.toLowerCase() === 'timer');

const knowsTimers = (message: SipMessage): boolean =>
  supports(message, 'supported') || supports(message, 'require');

function sessionExpires(message: SipMessage): { seconds: number; refresher: string | null } | null {
  const [interval = '', ...rest] = (header(message, 'session-expires') ?? '').split(';');
  const seconds = parseDecimal(interval.trim(), 2 ** 31 - 1);
  const params = rest.length === 0 ? new Map<string, string | null>() : parseParams(rest.join(';'));
  if (seconds === null || params === null) return null;
  return { seconds, refresher: params.get('refresher')?.toLowerCase() ?? null };
}

/**
 * Headers of a request of ours that starts or refreshes a session of this length. We offer to refresh it, unless the peer
 * does so already. `minSeconds` is the largest Min-SE of a 422; absent: that of a longer session than ours, or the smallest.
 */
export const sessionHeaders = (
  seconds: number,
  minSeconds = seconds > SESSION_SECONDS ? seconds : MIN_SESSION_SECONDS,
  weRefresh = true,
): readonly Header[] => [
  { name: 'session-expires', value: `${seconds};refresher=${weRefresh ? 'uac' : 'uas'}` },
  { name: 'min-se', value: String(minSeconds) },
];

/**
 * The timer to accept for a request of the peer (section 9); null: the session has none. `ours` is the interval of a
 * session that we refresh: we go on when the peer's request has no timer.
 */
export function acceptedTimer(request: SipRequest, ours: number | null): AcceptedTimer | null {
  const requested = sessionExpires(request);
  if (requested === null) return ours === null ? null : refreshedByUs(ours, knowsTimers(request));
  const { seconds, refresher } = requested;
  // A proxy may ask for a timer whose caller knows none; below the minimum it gets none.
  if (!knowsTimers(request)) return seconds < MIN_SESSION_SECONDS ? null : refreshedByUs(seconds, false);
  if (refresher === 'uas') return refreshedByUs(seconds, true);
  return {
    seconds,
    weRefresh: false,
    headers: [
      { name: 'require', value: 'timer' },
      { name: 'session-expires', value: `${seconds};refresher=uac` },
    ],
  };
}

const refreshedByUs = (seconds: number, isKnown: boolean): AcceptedTimer => ({
  seconds,
  weRefresh: true,
  headers: [
    ...(isKnown ? [{ name: 'require', value: 'timer' }] : []),
    { name: 'session-expires', value: `${seconds};refresher=uas` },
  ],
});

/** The timer that a 2xx to a request of ours agrees on (section 7.2); null: the session has none. */
export function agreedTimer(response: SipMessage): SessionTimer | null {
  const agreed = sessionExpires(response);
  if (agreed === null || agreed.seconds < MIN_SESSION_SECONDS) return null;
  return { seconds: agreed.seconds, weRefresh: agreed.refresher !== 'uas' };
}

/** Min-SE of a 422 in seconds; null without one, or when it is longer than a day. */
export const minimumOf = (response: SipMessage): number | null =>
  parseDecimal((header(response, 'min-se') ?? '').split(';')[0]?.trim() ?? '', MAX_SESSION_SECONDS);

/** 422 with Min-SE for an interval below the minimum; null: it is not refused. */
export function refusalOfTimer(request: SipRequest): { status: number; headers: readonly Header[] } | null {
  const requested = sessionExpires(request);
  if (requested === null || !knowsTimers(request) || requested.seconds >= MIN_SESSION_SECONDS) return null;
  return { status: 422, headers: [{ name: 'min-se', value: String(MIN_SESSION_SECONDS) }] };
}
