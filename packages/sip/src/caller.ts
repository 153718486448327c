import { headerLines, headerTokens, type SipRequest } from './message.ts';
import { parseAddress } from './parse-header.ts';
import { splitOutside } from './grammar.ts';
import { parseUri, userOf } from './uri.ts';

/** Users of a From that names nobody. */
const NOBODY = new Set(['', 'anonymous', 'restricted', 'unavailable', 'unknown', 'private']);
/** Values of Privacy that hide the caller from the callee (RFC 3323, RFC 3325). */
const HIDING = new Set(['id', 'user', 'header', 'history', 'critical']);

/**
 * The user part of the caller: of From, or of P-Asserted-Identity where From names nobody and the caller did not ask
 * for privacy (RFC 3325). Only trunks may assert an identity, so strangers' requests must not reach this.
 */
export function callerOf(request: SipRequest): string {
  const from = userOf(parseUri(request.from.uri));
  if (!NOBODY.has(from.toLowerCase()) || wantsPrivacy(request)) return from;
  return asserted(request) ?? from;
}

const wantsPrivacy = (request: SipRequest): boolean =>
  headerTokens(request, 'privacy')
    .flatMap((value) => value.split(';'))
    .some((value) => HIDING.has(value.trim().toLowerCase()));

/** The first asserted identity that names somebody; a tel URI may follow a SIP URI. */
function asserted(request: SipRequest): string | null {
  const users = headerLines(request, 'p-asserted-identity')
    .flatMap((line) => splitOutside(line, ',') ?? [])
    .map((value) => userOf(parseUri(parseAddress(value)?.uri ?? '')));
  return users.find((user) => !NOBODY.has(user.toLowerCase())) ?? null;
}
