import { errors } from '../../errors.ts';
import { mayBeSet } from './delivery-rules.ts';

/** The service signs deliveries with these. */
const OURS = new Set(['webhook-id', 'webhook-signature', 'webhook-timestamp']);
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
/** Visible ASCII with inner spaces and tabs: nothing that ends a header line (RFC 9110 section 5.5). */
const HEADER_VALUE = /^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/;

/** A receiver's address in its normal form: two spellings of one are one receiver. */
export const normalAddress = (text: string): string => (URL.canParse(text) ? new URL(text).href : text);

/** Throws 422 unless `text` is an address deliveries can go to. */
export function checkReceiverUrl(path: string, text: string): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw errors.invalid(path, 'must be an http or https URL');
  }
  if (url.username !== '' || url.password !== '') {
    throw errors.invalid(path, 'must not carry a user name or password; send them as a header');
  }
}

/** Throws 422 for headers that cannot be sent, or that are the service's own to set. */
export function checkReceiverHeaders(path: string, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name)) throw errors.invalid(path, 'must have valid HTTP header names as keys');
    if (!mayBeSet(name) || OURS.has(name.toLowerCase())) {
      throw errors.invalid(`${path}.${name}`, 'is set by the service and cannot be chosen');
    }
    if (value !== '' && !HEADER_VALUE.test(value)) {
      throw errors.invalid(`${path}.${name}`, 'must be a header value of visible ASCII characters');
    }
  }
}
