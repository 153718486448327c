import { parseDecimal, parseParams } from './grammar.ts';
import { header, headerTokens, type Header, type SipRequest } from './message.ts';

/** The smallest interval of RFC 4028 section 4. */
const MIN_SECONDS = 90;

/** Session timer of an INVITE from a peer (RFC 4028 section 9). We leave the refreshes to the peer. */
export interface SessionTimer {
  readonly seconds: number;
  /** Headers of the 2xx. */
  readonly headers: readonly Header[];
}

const supports = (request: SipRequest, name: string): boolean =>
  headerTokens(request, name).some((tag) => tag.toLowerCase() === 'timer');

function sessionExpires(request: SipRequest): { seconds: number; refresher: string | null } | null {
  const [interval = '', ...rest] = (header(request, 'session-expires') ?? '').split(';');
  const seconds = parseDecimal(interval.trim(), 2 ** 31 - 1);
  const params = rest.length === 0 ? new Map<string, string | null>() : parseParams(rest.join(';'));
  if (seconds === null || params === null) return null;
  return { seconds, refresher: params.get('refresher')?.toLowerCase() ?? null };
}

/** The timer to accept; null without one, or when the peer wants us to refresh. */
export function sessionTimerOf(request: SipRequest): SessionTimer | null {
  const requested = sessionExpires(request);
  if (requested === null || requested.refresher === 'uas') return null;
  if (!supports(request, 'supported') && !supports(request, 'require')) return null;
  return {
    seconds: requested.seconds,
    headers: [
      { name: 'require', value: 'timer' },
      { name: 'session-expires', value: `${requested.seconds};refresher=uac` },
    ],
  };
}

/** Refusal of a session timer: 422 for an interval below the minimum, 420 when it is required that we refresh. */
export function refusalOfTimer(request: SipRequest): { status: number; headers: readonly Header[] } | null {
  const requested = sessionExpires(request);
  if (requested === null) return null;
  if (requested.refresher === 'uas' && supports(request, 'require')) {
    return { status: 420, headers: [{ name: 'unsupported', value: 'timer' }] };
  }
  return sessionTimerOf(request) !== null && requested.seconds < MIN_SECONDS
    ? { status: 422, headers: [{ name: 'min-se', value: String(MIN_SECONDS) }] }
    : null;
}

/** Time after which a session without refresh ends: a little before it expires (RFC 4028 section 10). */
export const sessionEndMs = ({ seconds }: SessionTimer): number =>
  (seconds - Math.min(32, seconds / 3)) * 1000;
