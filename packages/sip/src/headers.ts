import type { Header } from './message.ts';
import type { LocalPoint, Peer } from './transport.ts';
import { escapeUser, formatHostPort } from './uri.ts';

/** Compact header names to long names (RFC 3261 section 7.3.3 and the IANA registry). */
const COMPACT: ReadonlyMap<string, string> = new Map([
  ['a', 'accept-contact'],
  ['b', 'referred-by'],
  ['c', 'content-type'],
  ['d', 'request-disposition'],
  ['e', 'content-encoding'],
  ['f', 'from'],
  ['i', 'call-id'],
  ['j', 'reject-contact'],
  ['k', 'supported'],
  ['l', 'content-length'],
  ['m', 'contact'],
  ['o', 'event'],
  ['r', 'refer-to'],
  ['s', 'subject'],
  ['t', 'to'],
  ['u', 'allow-events'],
  ['v', 'via'],
  ['x', 'session-expires'],
  ['y', 'identity'],
]);

const capitalised = (stored: string): string =>
  stored.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase());

/** Names as most peers write them. */
const USUAL_NAMES: ReadonlyMap<string, string> = new Map(
  [
    'Via',
    'From',
    'To',
    'Call-ID',
    'CSeq',
    'Contact',
    'Max-Forwards',
    'Record-Route',
    'Route',
    'Allow',
    'Supported',
    'Require',
    'User-Agent',
    'Server',
    'Content-Type',
    'Content-Length',
    'Expires',
    'Reason',
    'Session-Expires',
    'Min-SE',
    'P-Asserted-Identity',
  ].map((name) => [name, name.toLowerCase()]),
);

/** Stored names as they are written; others are capitalised. */
const WRITTEN: ReadonlyMap<string, string> = new Map([
  ...[...USUAL_NAMES.values(), 'accept', 'min-expires', 'rseq', 'retry-after', 'warning'].map(
    (stored): [string, string] => [stored, capitalised(stored)],
  ),
  ['call-id', 'Call-ID'],
  ['cseq', 'CSeq'],
  ['mime-version', 'MIME-Version'],
  ['rack', 'RAck'],
  ['user-to-user', 'User-to-User'],
  ['www-authenticate', 'WWW-Authenticate'],
]);

/** The stored form of a name that most peers write the same way; undefined: check and convert it. */
export const usualName = (name: string): string | undefined => USUAL_NAMES.get(name);

/** Header name as stored in a message: long form, lower case. */
export function storedName(name: string): string {
  const lower = name.toLowerCase();
  return lower.length === 1 ? (COMPACT.get(lower) ?? lower) : lower;
}

/** Header name as written on the wire: `Max-Forwards`, `Call-ID`. */
export const writtenName = (stored: string): string => WRITTEN.get(stored) ?? capitalised(stored);

/** Methods that this user agent supports. */
export const ALLOWED_METHODS = [
  'INVITE',
  'ACK',
  'CANCEL',
  'BYE',
  'OPTIONS',
  'INFO',
  'NOTIFY',
  'PRACK',
  'UPDATE',
] as const;

/** Methods of published RFCs; an unsupported one gets 405 instead of 501 (RFC 3261 section 8.2.1). */
export const KNOWN_METHODS: ReadonlySet<string> = new Set([
  ...ALLOWED_METHODS,
  'REGISTER',
  'SUBSCRIBE',
  'PUBLISH',
  'MESSAGE',
  'REFER',
]);

/** Option tags accepted in Require. */
export const SUPPORTED_EXTENSIONS: ReadonlySet<string> = new Set([
  '100rel',
  'timer',
  'replaces',
  'precondition',
]);

/** Extensions that we offer with a call. */
export const SUPPORTED: Header = { name: 'supported', value: '100rel, timer, replaces' };

export const ALLOW: Header = { name: 'allow', value: ALLOWED_METHODS.join(', ') };
const ALLOW_REFER: Header = { name: 'allow', value: `${ALLOW.value}, REFER` };

/** The methods that a trunk may use in a call. */
export const allowOf = (trunk: { readonly acceptsRefer?: boolean }): Header =>
  trunk.acceptsRefer === true ? ALLOW_REFER : ALLOW;
export const ACCEPT: Header = { name: 'accept', value: 'application/sdp, multipart/mixed' };
export const ACCEPT_INFO: Header = { name: 'accept', value: 'application/dtmf-relay, application/dtmf' };
export const SDP_TYPE: Header = { name: 'content-type', value: 'application/sdp' };
export const USER_AGENT: Header = { name: 'user-agent', value: 'Callwright' };

/** Our Contact URI towards a peer, with the transport in use. */
export function contactUri(user: string, local: LocalPoint, peer: Peer): string {
  const name = user === '' ? '' : `${escapeUser(user)}@`;
  const transport = peer.transport === 'udp' ? '' : `;transport=${peer.transport}`;
  return `sip:${name}${formatHostPort(local.address, local.port)}${transport}`;
}

/** With `ob` the peer sends the requests of the dialog on our connection (RFC 5626 section 4.3). */
export const contact = (user: string, local: LocalPoint, peer: Peer): Header => ({
  name: 'contact',
  value: `<${contactUri(user, local, peer)}${local.isFlowOnly === true ? ';ob' : ''}>`,
});
