import type { Header } from './message.ts';

/** Methods this user agent takes part in. */
export const ALLOWED_METHODS = ['INVITE', 'ACK', 'CANCEL', 'BYE', 'OPTIONS', 'INFO', 'NOTIFY'] as const;

/** Methods of published RFCs that we know of but do not take: 405 instead of 501 (RFC 3261 section 8.2.1). */
export const KNOWN_METHODS: ReadonlySet<string> = new Set([
  ...ALLOWED_METHODS,
  'REGISTER',
  'PRACK',
  'SUBSCRIBE',
  'PUBLISH',
  'MESSAGE',
  'REFER',
  'UPDATE',
]);

/** Option tags that may stand in Require. None yet. */
export const SUPPORTED_EXTENSIONS: ReadonlySet<string> = new Set();

export const ALLOW: Header = { name: 'allow', value: ALLOWED_METHODS.join(', ') };
export const ACCEPT: Header = { name: 'accept', value: 'application/sdp, multipart/mixed' };
export const ACCEPT_INFO: Header = { name: 'accept', value: 'application/dtmf-relay, application/dtmf' };
export const SDP_TYPE: Header = { name: 'content-type', value: 'application/sdp' };
export const USER_AGENT: Header = { name: 'user-agent', value: 'Callwright' };
