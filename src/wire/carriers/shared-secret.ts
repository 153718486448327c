import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CarrierKind } from '../../shared/carrier-kinds.ts';
import { headerOf, type CarrierHttpRequest } from './webhooks.ts';

/** Carriers that sign nothing, and repeat the address as they got it. */
const UNSIGNED: ReadonlySet<CarrierKind> = new Set(['exotel', 'smartflo', 'acefone', 'asterisk']);

/** An address of ours for a carrier; with a key in its query, if the carrier proves its requests in no other way. */
export function provenUrl(url: string, kind: CarrierKind, signingKey: string | null): string {
  if (!UNSIGNED.has(kind) || signingKey === null) return url;
  return `${url}?key=${addressKey(signingKey, new URL(url).pathname)}`;
}

/** The key of an address: that of its path alone, so that it opens no other one. */
const addressKey = (signingKey: string, path: string): string =>
  createHmac('sha256', signingKey).update(path, 'utf8').digest('base64url');

/**
 * Whether a request has the secret: as the password of Basic authentication, or as the key of its address in the query.
 */
export function hasSecret(request: CarrierHttpRequest, _form: URLSearchParams, secret: string): boolean {
  const { pathname, searchParams } = new URL(request.url);
  const [, sent = ''] = /^Basic ([A-Za-z0-9+/=]{1,2000})$/.exec(headerOf(request, 'authorization')) ?? [];
  const credentials = Buffer.from(sent, 'base64').toString('utf8');
  return (
    isSame(credentials.slice(credentials.indexOf(':') + 1), secret) ||
    isSame(searchParams.get('key') ?? '', addressKey(secret, pathname))
  );
}

/** Compares in constant time. */
export function isSame(sent: string, expected: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(expected)];
  return a.length === b.length && a.length > 0 && timingSafeEqual(a, b);
}
