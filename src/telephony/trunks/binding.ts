import { createHash } from 'node:crypto';
import {
  type NameAddr,
  type SipResponse,
  type SipUri,
  type Uri,
  SIP_PORT,
  SIPS_PORT,
  headerLines,
  parseAddressList,
  parseUri,
  userOf,
} from '@callwright/sip';

/**
 * Value of the parameter `line` in the Contact that a trunk registers. Two accounts of one user and one address have
 * a binding each by it, and an INVITE to one of them names its trunk. All processes register the same value, in lower case
 * because URI parameters are equal in any.
 */
export const lineOf = (trunkId: string): string =>
  createHash('sha256').update(trunkId).digest('hex').slice(0, 16);

export const withLine = (contact: string, line: string): string => `${contact};line=${line}`;

export const namesLine = (uri: Uri | null, line: string): boolean => lineIn(uri) === line;

/** Undefined without the parameter; empty without a value. */
function lineIn(uri: Uri | null): string | undefined {
  const line = uri?.params.get('line');
  return line === null ? '' : line?.toLowerCase();
}

/**
 * Seconds that the registrar granted to our Contact; null when no Contact of the 200 says. An account may have other bindings, such as a
 * desk phone, and phones give their Contacts a `line` as well. A registrar may list ours under another address, because of NAT,
 * and without our parameters. Of several that may be ours the shortest counts: a registration that is refreshed too
 * early costs a message, one that is refreshed too late costs calls.
 */
export function grantedTo(ours: string, response: SipResponse): number | null {
  const contacts = (parseAddressList(headerLines(response, 'contact')) ?? []).map((address) => ({
    uri: parseUri(address.uri),
    seconds: secondsOf(address),
  }));
  const own = parseUri(ours);
  const line = lineIn(own) ?? '';
  const user = userOf(own);
  type Contact = (typeof contacts)[number];
  const isPlain = ({ uri }: Contact): boolean => lineIn(uri) === undefined;
  const isHere = ({ uri }: Contact): boolean => isSamePlace(uri, own);
  // The surest first.
  const signs: ((contact: Contact) => boolean)[] = [
    (contact) => namesLine(contact.uri, line) && isHere(contact),
    ({ uri }) => namesLine(uri, line),
    (contact) => isPlain(contact) && isHere(contact),
    (contact) => isPlain(contact) && userOf(contact.uri) === user,
    () => true,
  ];
  const bindings = signs.map((sign) => contacts.filter(sign)).find(({ length }) => length > 0) ?? [];
  const granted = bindings.flatMap(({ seconds }) => seconds ?? []);
  return granted.length === 0 ? null : Math.min(...granted);
}

function secondsOf({ params }: NameAddr): number | null {
  const expires = params.get('expires') ?? '';
  return /^\d{1,9}$/.test(expires) ? Number(expires) : null;
}

/** The same user, host and port; registrars add and drop parameters. */
function isSamePlace(one: Uri | null, other: Uri | null): boolean {
  if (one === null || other === null || one.scheme === 'tel' || other.scheme === 'tel') return false;
  return userOf(one) === userOf(other) && one.host === other.host && portOf(one) === portOf(other);
}

/** Over TLS a URI without a port means 5061 (RFC 3261 section 19.1.2). */
function portOf({ scheme, port, params }: SipUri): number {
  if (port !== null) return port;
  return scheme === 'sips' || params.get('transport')?.toLowerCase() === 'tls' ? SIPS_PORT : SIP_PORT;
}
