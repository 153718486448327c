import { createHash } from 'node:crypto';
import { isToken, quote, splitOutside, unquote } from './grammar.ts';

export type DigestAlgorithm = 'MD5' | 'MD5-sess' | 'SHA-256' | 'SHA-256-sess';

const ALGORITHMS: readonly DigestAlgorithm[] = ['MD5', 'MD5-sess', 'SHA-256', 'SHA-256-sess'];

/** Algorithm by case-insensitive name; MD5 when absent (RFC 7616 section 3.3); null when unsupported. */
export function algorithmOf(name: string | undefined): DigestAlgorithm | null {
  if (name === undefined) return 'MD5';
  return ALGORITHMS.find((known) => known.toLowerCase() === name.toLowerCase()) ?? null;
}

/** The parameters of a `Digest ...` value, unquoted, names in lower case. Null for another scheme or bad syntax. */
export function parseDigest(value: string): ReadonlyMap<string, string> | null {
  const match = /^Digest\s+(\S[^]*)$/i.exec(value.trim());
  const parts = match === null ? null : splitOutside(match[1] ?? '', ',');
  if (parts === null || parts.length > 32) return null;
  const params = new Map<string, string>();
  for (const part of parts) {
    const equals = part.indexOf('=');
    const name = part.slice(0, Math.max(0, equals)).trim().toLowerCase();
    if (!isToken(name) || params.has(name)) return null;
    params.set(name, unquote(part.slice(equals + 1).trim()));
  }
  return params;
}

/** Parameters that the grammar writes without quotes. */
const BARE = new Set(['algorithm', 'nc', 'stale']);

export function formatDigest(
  params: readonly (readonly [string, string])[],
  bare: readonly string[] = [],
): string {
  const written = params.map(([name, value]) =>
    BARE.has(name) || bare.includes(name) ? `${name}=${value}` : `${name}=${quote(value)}`,
  );
  return `Digest ${written.join(', ')}`;
}

export interface DigestInput {
  readonly algorithm: DigestAlgorithm;
  readonly username: string;
  readonly realm: string;
  readonly password: string;
  readonly method: string;
  readonly uri: string;
  readonly nonce: string;
  /** Null for RFC 2069 style without qop. */
  readonly qop: { readonly cnonce: string; readonly nonceCount: string } | null;
  readonly sessionCnonce: string;
}

/** The `response` value (RFC 7616 section 3.4.1) with qop=auth or without qop. */
export function digestResponse(input: DigestInput): string {
  const hash = input.algorithm.startsWith('MD5') ? 'md5' : 'sha256';
  const h = (text: string): string => createHash(hash).update(text, 'utf8').digest('hex');
  const secret = h(`${input.username}:${input.realm}:${input.password}`);
  const ha1 = input.algorithm.endsWith('-sess')
    ? h(`${secret}:${input.nonce}:${input.sessionCnonce}`)
    : secret;
  const ha2 = h(`${input.method}:${input.uri}`);
  const middle = input.qop === null ? '' : `${input.qop.nonceCount}:${input.qop.cnonce}:auth:`;
  return h(`${ha1}:${input.nonce}:${middle}${ha2}`);
}
