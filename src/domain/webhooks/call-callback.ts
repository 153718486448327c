import { errors } from '../../errors.ts';
import type { Seal } from '../../shared/seal.ts';
import { sealHeaders } from './sealed-headers.ts';
import { checkReceiverHeaders, checkReceiverUrl } from './receiver-rules.ts';
import type { CallCallback } from './subscriptions.ts';

const MAX_URL = 4096;

/**
 * The receiver a call names for itself: `params` become part of its address. Null without a `url`. Throws 422, also
 * for arguments without an address to send them to.
 */
export function callCallback(
  seal: Seal,
  url: string | undefined,
  args: { headers?: Record<string, string>; params?: Record<string, string> } | undefined,
): CallCallback | null {
  if (url === undefined) {
    if (args !== undefined) throw errors.invalid('callback_args', 'needs callback_url');
    return null;
  }
  checkReceiverUrl('callback_url', url);
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
  return { url: address.href, headers: sealHeaders(seal, headers) };
}
