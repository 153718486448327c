import { isIP } from 'node:net';
import { randomToken } from './random-token.ts';
import {
  algorithmOf,
  type DigestAlgorithm,
  digestResponse,
  formatDigest,
  parseDigest,
} from './digest-header.ts';
import { type Header, headerLines, type SipResponse } from './message.ts';

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

/** Order of protection: SHA-256 before MD5 (RFC 8760), with qop before without. */
const strengthOf = ({ algorithm, qop }: Challenge): number =>
  (algorithm.startsWith('SHA-256') ? 2 : 0) + (qop ? 1 : 0);

/** The strongest supported challenge of a 401 or 407 that `isAllowed` accepts, or null. */
export function chooseChallenge(
  response: SipResponse,
  isAllowed: (challenge: Challenge) => boolean = () => true,
): Challenge | null {
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
  const [best] = found.filter(isAllowed).toSorted((a, b) => strengthOf(b) - strengthOf(a));
  return best ?? null;
}

/** Authorization or Proxy-Authorization header of one request. `nonceCount` starts at 1 for each nonce. */
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

/** Proxy and registrar, each with a realm of its own. */
const MAX_REALMS = 2;

/**
 * Allows one answer for each realm of an exchange, and a second one only to a challenge with stale=true: the nonce had
 * expired. Any other repeated challenge means wrong credentials.
 */
export function mayAnswer(challenge: Challenge, answered: readonly Challenge[]): boolean {
  const realms = new Set(answered.map(({ realm }) => realm));
  if (!realms.has(challenge.realm)) return realms.size < MAX_REALMS;
  const same = answered.filter(({ realm, proxy }) => realm === challenge.realm && proxy === challenge.proxy);
  return same.length === 0 || (same.length === 1 && challenge.stale);
}

const MAX_NONCES = 64;
/** Pins of one authenticator; beyond them nothing more is pinned. */
const MAX_PINS = 256;

/**
 * Answers challenges with the credentials of one trunk; keeps the nonce counts. The first credentials that an address
 * of the trunk accepts pin its realms and the strength of their challenges: a callee behind the carrier that sends a
 * challenge of its own, or a weaker one, gets no answer to crack the password from. REGISTER has its own pins, because
 * no callee ever answers it and a registrar may be stronger than the proxy.
 */
export interface Authenticator {
  /** The challenge of a response from `address` that may be answered, or null. */
  challenge(response: SipResponse, address: string): Challenge | null;
  answer(challenge: Challenge, request: { method: string; uri: string }): Header;
  /** Pins the realms and strengths of challenges whose answers `address` accepted in a request of `method`. */
  accept(answered: readonly Challenge[], method: string, address: string): void;
}

export interface AuthenticatorOptions {
  /** Realms that need no pin, because they name the trunk itself. */
  readonly isOwnRealm?: (realm: string) => boolean;
  /** A challenge stays unanswered because its realm is new or it is weaker than before. Called once for each realm. */
  readonly onRefused?: (realm: string, address: string) => void;
}

export function createAuthenticator(
  credentials: Credentials,
  { isOwnRealm = () => false, onRefused = () => {} }: AuthenticatorOptions = {},
): Authenticator {
  const counts = new Map<string, number>();
  /** Strengths by realm for each kind of request and address. */
  const pins = new Map<string, Map<string, number>>();
  const refused = new Set<string>();
  const isAllowed = (pinned: ReadonlyMap<string, number> | undefined, challenge: Challenge): boolean => {
    if (pinned === undefined) return true;
    const strengths = [...pinned].flatMap(([realm, strength]) =>
      areSiblings(realm, challenge.realm) ? [strength] : [],
    );
    if (strengths.length > 0) return strengthOf(challenge) >= Math.max(...strengths);
    return isOwnRealm(challenge.realm);
  };
  return {
    challenge(response, address) {
      const pinned = pins.get(pinKey(response.cseq.method, address));
      const chosen = chooseChallenge(response, (challenge) => isAllowed(pinned, challenge));
      const realm = chosen === null ? chooseChallenge(response)?.realm : undefined;
      if (realm !== undefined && !refused.has(realm) && refused.size < MAX_PINS) {
        refused.add(realm);
        onRefused(realm, address);
      }
      return chosen;
    },
    answer(challenge, request) {
      const count = (counts.get(challenge.nonce) ?? 0) + 1;
      if (counts.size >= MAX_NONCES) counts.clear();
      counts.set(challenge.nonce, count);
      return authorize(challenge, credentials, request, count);
    },
    accept(answered, method, address) {
      const key = pinKey(method, address);
      for (const challenge of answered) {
        const pinned = pins.get(key) ?? new Map<string, number>();
        if (pinned.size === 0 && pins.size >= MAX_PINS) return;
        pinned.set(challenge.realm, Math.max(pinned.get(challenge.realm) ?? 0, strengthOf(challenge)));
        pins.set(key, pinned);
      }
    },
  };
}

const pinKey = (method: string, address: string): string =>
  `${method === 'REGISTER' ? 'register' : 'call'} ${address}`;

/** True for equal realms and for host names below one domain: nodes of a carrier that challenge in their own names. */
function areSiblings(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  if (a === b) return true;
  if (isIP(a) !== 0 || isIP(b) !== 0) return false;
  const domain = a.slice(a.indexOf('.') + 1);
  return a.includes('.') && domain.includes('.') && domain === b.slice(b.indexOf('.') + 1);
}
