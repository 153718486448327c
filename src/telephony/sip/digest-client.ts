import { randomToken } from '../../shared/ids.ts';
import {
  algorithmOf,
  digestResponse,
  formatDigest,
  parseDigest,
  type DigestAlgorithm,
} from './digest-header.ts';
import { headerLines, type Header, type SipResponse } from './message.ts';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export interface Challenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | null;
  readonly algorithm: DigestAlgorithm;
  readonly qop: boolean;
  readonly stale: boolean;
  /** True for Proxy-Authenticate (407). */
  readonly proxy: boolean;
}

/** The strongest challenge of a 401 or 407 we can answer, or null (RFC 8760: SHA-256 before MD5). */
export function chooseChallenge(response: SipResponse): Challenge | null {
  const proxy = response.status === 407;
  const found: Challenge[] = [];
  for (const line of headerLines(response, proxy ? 'proxy-authenticate' : 'www-authenticate')) {
    const params = parseDigest(line);
    const algorithm = algorithmOf(params?.get('algorithm'));
    const realm = params?.get('realm');
    const nonce = params?.get('nonce');
    if (params === null || algorithm === null || realm === undefined || nonce === undefined) continue;
    const offered = params.get('qop');
    const qop = (offered ?? '').split(',').some((item) => item.trim().toLowerCase() === 'auth');
    if (offered !== undefined && !qop) continue;
    const stale = (params.get('stale') ?? '').toLowerCase() === 'true';
    found.push({ realm, nonce, opaque: params.get('opaque') ?? null, algorithm, qop, stale, proxy });
  }
  return found.find((challenge) => challenge.algorithm.startsWith('SHA-256')) ?? found[0] ?? null;
}

/** The Authorization or Proxy-Authorization header for one request. `nonceCount` starts at 1 per nonce. */
export function authorize(
  challenge: Challenge,
  credentials: Credentials,
  request: { method: string; uri: string },
  nonceCount: number,
  cnonce: string = randomToken(16),
): Header {
  const nc = nonceCount.toString(16).padStart(8, '0');
  const response = digestResponse({
    ...challenge,
    ...credentials,
    ...request,
    qop: challenge.qop ? { cnonce, nonceCount: nc } : null,
    sessionCnonce: cnonce,
  });
  const params: [string, string][] = [
    ['username', credentials.username],
    ['realm', challenge.realm],
    ['nonce', challenge.nonce],
    ['uri', request.uri],
    ['response', response],
    ['algorithm', challenge.algorithm],
  ];
  if (challenge.opaque !== null) params.push(['opaque', challenge.opaque]);
  if (challenge.qop) params.push(['qop', 'auth'], ['nc', nc], ['cnonce', cnonce]);
  else if (challenge.algorithm.endsWith('-sess')) params.push(['cnonce', cnonce]);
  return {
    name: challenge.proxy ? 'proxy-authorization' : 'authorization',
    value: formatDigest(params, ['qop']),
  };
}

/**
 * Whether one more attempt is due after `attempts` answered challenges: once, and a second time only when the
 * server says that just the nonce was too old. Anything else is a wrong password.
 */
export const mayAnswer = (challenge: Challenge, attempts: number): boolean =>
  attempts === 0 || (attempts === 1 && challenge.stale);
