import { addressesOf, hidesCaller } from './call-headers.ts';
import { withoutControl } from './grammar.ts';
import type { SipRequest } from './message.ts';
import { parseUri, userOf } from './uri.ts';

/** Users of a From that names nobody. */
const NOBODY = new Set(['', 'anonymous', 'restricted', 'unavailable', 'unknown', 'private']);
/** The user of a From whose caller asks for privacy (RFC 3323). */
const ANONYMOUS = 'anonymous';

/**
 * The user part of the caller: of From, or of P-Asserted-Identity where From names nobody (RFC 3325). Only trunks may
 * assert an identity, so strangers' requests must not reach this. A caller who asks for privacy is `anonymous`, also
 * where the carrier left the number in From.
 */
export function callerOf(request: SipRequest): {
  readonly user: string;
  readonly displayName: string | null;
} {
  const { displayName, uri } = request.from;
  const from = userOf(parseUri(uri));
  const isNamed = !NOBODY.has(from.toLowerCase());
  if (hidesCaller(request)) return { user: isNamed ? ANONYMOUS : from, displayName: null };
  return {
    user: isNamed ? from : (asserted(request) ?? from),
    displayName: displayName === null ? null : withoutControl(displayName),
  };
}

/** The first asserted identity that names somebody; a tel URI may follow a SIP URI. */
const asserted = (request: SipRequest): string | null =>
  addressesOf(request, 'p-asserted-identity')
    .map(({ uri }) => userOf(parseUri(uri)))
    .find((user) => !NOBODY.has(user.toLowerCase())) ?? null;
