import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  algorithmOf,
  digestResponse,
  formatDigest,
  parseDigest,
  type DigestAlgorithm,
} from './digest-header.ts';
import { header, type SipRequest } from './message.ts';

const NONCE_LIFE_MS = 300_000;
const MAX_NONCES = 10_000;

export type Verdict =
  | { readonly ok: true; readonly username: string }
  /** `stale`: the response is right, but the nonce expired or its count was already used. */
  | { readonly ok: false; readonly stale: boolean };

export interface DigestServer {
  /** The WWW-Authenticate value of a 401. */
  challenge(stale: boolean, algorithm?: DigestAlgorithm): string;
  /** Checks Authorization; `passwordOf` returns null for an unknown user. */
  verify(request: SipRequest, passwordOf: (username: string) => string | null): Verdict;
}

/** Digest server (RFC 7616 section 3.3): signed nonces, qop=auth only, replay protection by nonce count. */
export function createDigestServer(options: {
  realm: string;
  now: () => number;
  secret?: Buffer;
}): DigestServer {
  const { realm, now } = options;
  const secret = createSecretKey(options.secret ?? randomBytes(32));
  /** Used nonces with their highest count, least recently used first. */
  const used = new Map<string, number>();

  const sign = (text: string): string => createHmac('sha256', secret).update(text).digest('hex').slice(0, 32);
  const issue = (): string => {
    const text = `${now().toString(36)}.${randomBytes(8).toString('hex')}`;
    return `${text}.${sign(text)}`;
  };
  const ageOf = (nonce: string): number | null => {
    const cut = nonce.lastIndexOf('.');
    const text = nonce.slice(0, Math.max(0, cut));
    if (!equal(sign(text), nonce.slice(cut + 1))) return null;
    return now() - parseInt(text, 36);
  };

  return {
    challenge: (stale, algorithm = 'SHA-256') =>
      formatDigest([
        ['realm', realm],
        ['nonce', issue()],
        ['algorithm', algorithm],
        ['qop', 'auth'],
        ...(stale ? [['stale', 'true'] as const] : []),
      ]),
    verify(request, passwordOf) {
      const refused: Verdict = { ok: false, stale: false };
      const params = parseDigest(header(request, 'authorization') ?? '');
      if (params === null) return refused;
      const get = (name: string): string => params.get(name) ?? '';
      const algorithm = algorithmOf(params.get('algorithm'));
      const username = get('username');
      const password = passwordOf(username);
      const age = ageOf(get('nonce'));
      const count = /^[0-9a-f]{8}$/i.test(get('nc')) ? parseInt(get('nc'), 16) : 0;
      if (algorithm === null || age === null || count === 0) return refused;
      if (get('realm') !== realm || get('qop').toLowerCase() !== 'auth' || get('uri') !== request.uri)
        return refused;
      const expected = digestResponse({
        algorithm,
        username,
        realm,
        // Hashed for unknown users as well, so that the response time reveals no account name.
        password: password ?? '',
        method: request.method,
        uri: request.uri,
        nonce: get('nonce'),
        qop: { cnonce: get('cnonce'), nonceCount: get('nc') },
        sessionCnonce: get('cnonce'),
      });
      const isRight = equal(expected, get('response').toLowerCase());
      if (!isRight || password === null) return refused;
      const highest = used.get(get('nonce')) ?? 0;
      if (age > NONCE_LIFE_MS || age < 0 || count <= highest) return { ok: false, stale: true };
      used.delete(get('nonce'));
      used.set(get('nonce'), count);
      if (used.size > MAX_NONCES) dropOldest(used);
      return { ok: true, username };
    },
  };
}

const equal = (a: string, b: string): boolean => {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
};

function dropOldest(map: Map<string, number>): void {
  for (const key of map.keys()) {
    map.delete(key);
    return;
  }
}
