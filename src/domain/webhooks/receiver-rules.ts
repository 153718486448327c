import type { CallCallback } from '../../store/json/callback.ts';
import { errors } from '../../errors.ts';
import type { AddressRules, AddressUse } from '../../shared/address-rules.ts';
import { mayBeSet } from './delivery-rules.ts';
import type { Seal } from '../../shared/seal.ts';
import { sealHeaders } from './sealed-headers.ts';

/** Signature headers, which the service sets. */
const SIGNATURE = new Set(['webhook-id', 'webhook-signature', 'webhook-timestamp']);
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
/** Visible ASCII with inner spaces and tabs, so no value can end a header line (RFC 9110 section 5.5). */
const HEADER_VALUE = /^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/;

/** Normalises a receiver's URL, so that equal URLs compare equal. */
export const normalAddress = (text: string): string => (URL.canParse(text) ? new URL(text).href : text);

/**
 * Throws 422 unless `text` is a valid URL of a receiver or tool server. Refuses inner addresses as written; a name is
 * resolved and checked at each connection.
 */
export function checkReceiverUrl(
  { guard, ...use }: AddressUse & { readonly guard: AddressRules },
  path: string,
  text: string,
): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw errors.invalid(path, 'must be an http or https URL');
  }
  if (url.username !== '' || url.password !== '') {
    throw errors.invalid(path, 'must not carry a user name or password; send them as a header');
  }
  const inner = guard.innerRule(text, use);
  if (inner !== null) throw errors.invalid(path, inner);
}

/** Throws 422 for invalid headers and for headers that the service sets. */
export function checkReceiverHeaders(path: string, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name)) throw errors.invalid(path, 'must have valid HTTP header names as keys');
    if (!mayBeSet(name) || SIGNATURE.has(name.toLowerCase())) {
      throw errors.invalid(`${path}.${name}`, 'is set by the service and cannot be chosen');
    }
    if (value !== '' && !HEADER_VALUE.test(value)) {
      throw errors.invalid(`${path}.${name}`, 'must be a header value of visible ASCII characters');
    }
  }
}

const MAX_URL = 4096;

/**
 * The receiver that a call names for itself; `params` are added to its URL. Null without `url`. Throws 422, also for
 * arguments without a URL.
 */
export function callCallback(
  { seal, guard }: { readonly seal: Seal; readonly guard: AddressRules },
  workspaceId: string,
  url: string | undefined,
  args:
    | { headers?: Record<string, string>; params?: Record<string, string>; success?: '200' | '2xx' }
    | undefined,
): CallCallback | null {
  if (url === undefined) {
    if (args !== undefined) throw errors.invalid('callback_args', 'requires callback_url');
    return null;
  }
  checkReceiverUrl({ guard, purpose: 'webhooks', workspaceId }, 'callback_url', url);
  const headers = args?.headers ?? {};
  checkReceiverHeaders('callback_args.headers', headers);
  const address = new URL(url);
  for (const [name, value] of Object.entries(args?.params ?? {})) address.searchParams.append(name, value);
  if (address.href.length > MAX_URL) {
    throw errors.invalid(
      'callback_url',
      `must be at most ${MAX_URL} characters long with callback_args.params`,
    );
  }
  return {
    url: address.href,
    headers: sealHeaders(seal, headers),
    ...(args?.success === undefined ? {} : { success: args.success }),
  };
}
