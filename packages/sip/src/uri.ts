import { NO_PARAMS, parseDecimal, parseParams, withoutControl, type Params } from './grammar.ts';

export interface SipUri {
  readonly scheme: 'sip' | 'sips';
  /** Percent-escaped; null when the URI has no user part. */
  readonly user: string | null;
  /** Lower-case name or address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number | null;
  readonly params: Params;
  readonly headers: string | null;
}

export interface TelUri {
  readonly scheme: 'tel';
  readonly number: string;
  readonly params: Params;
}

export type Uri = SipUri | TelUri;

const HOST = /^(?:\[([0-9A-Fa-f:.]{2,45})\]|([A-Za-z0-9](?:[A-Za-z0-9._-]{0,253})))(?::(\d{1,5}))?$/;
const USER = /^(?:[A-Za-z0-9\-_.!~*'()&=+$,;?/:]|%[0-9A-Fa-f]{2})+$/;
const HEADERS = /^[A-Za-z0-9\-_.!~*'()%[\]/?:+$=&]+$/;
const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):/;

/** The scheme in lower case, or null without one. */
export const schemeOf = (text: string): string | null =>
  text.startsWith('sip:') ? 'sip' : (SCHEME.exec(text)?.[1]?.toLowerCase() ?? null);

/** A sip, sips or tel URI (RFC 3261 section 19.1, RFC 3966); null for another scheme or a malformed one. */
export function parseUri(text: string): Uri | null {
  const scheme = schemeOf(text);
  if (scheme === 'tel') return parseTel(text.slice(4));
  if (scheme !== 'sip' && scheme !== 'sips') return null;
  const rest = text.slice(scheme.length + 1);
  const at = rest.indexOf('@');
  const user = at === -1 ? null : rest.slice(0, at);
  if (user !== null && !USER.test(user)) return null;
  const afterUser = rest.slice(at + 1);
  const question = afterUser.indexOf('?');
  const headers = question === -1 ? null : afterUser.slice(question + 1);
  if (headers !== null && !HEADERS.test(headers)) return null;
  const hostAndParams = question === -1 ? afterUser : afterUser.slice(0, question);
  const semicolon = hostAndParams.indexOf(';');
  const host = parseHostPort(semicolon === -1 ? hostAndParams : hostAndParams.slice(0, semicolon));
  const params = semicolon === -1 ? NO_PARAMS : parseParams(hostAndParams.slice(semicolon + 1));
  if (host === null || params === null) return null;
  return { scheme, user, host: host.host, port: host.port, params, headers };
}

function parseTel(rest: string): TelUri | null {
  const semicolon = rest.indexOf(';');
  const number = semicolon === -1 ? rest : rest.slice(0, semicolon);
  const params = semicolon === -1 ? NO_PARAMS : parseParams(rest.slice(semicolon + 1));
  if (!/^\+?[0-9A-Fa-f*#().-]{1,64}$/.test(number) || params === null) return null;
  return { scheme: 'tel', number, params };
}

/** A name in lower case or an IPv4 address. A loop: the regular expression costs more to call than a host to read. */
function isPlainHost(text: string): boolean {
  if (text.length === 0 || text.length > 254) return false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const isLetterOrDigit = (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
    if (!isLetterOrDigit && (i === 0 || (code !== 0x2e && code !== 0x2d && code !== 0x5f))) return false;
  }
  return true;
}

/** `host`, `host:port` or `[v6]:port`. */
export function parseHostPort(text: string): { host: string; port: number | null } | null {
  if (isPlainHost(text)) return { host: text, port: null };
  const colon = text.indexOf(':');
  const name = text.slice(0, colon);
  const digits = text.length - colon - 1;
  if (colon !== -1 && digits <= 5 && isPlainHost(name)) {
    const port = parseDecimal(text.slice(colon + 1), 65535);
    return port === null || port === 0 ? null : { host: name, port };
  }
  const match = HOST.exec(text);
  if (match === null) return null;
  const host = (match[1] ?? match[2] ?? '').toLowerCase();
  if (match[3] === undefined) return { host, port: null };
  const port = parseDecimal(match[3], 65535);
  return port === null || port === 0 ? null : { host, port };
}

export const formatHost = (host: string): string => (host.includes(':') ? `[${host}]` : host);

export const formatHostPort = (host: string, port: number | null): string =>
  port === null ? formatHost(host) : `${formatHost(host)}:${port}`;

const UNRESERVED = /^[A-Za-z0-9\-_.!~*'()+]*$/;

/** Percent-escapes text for the user part; only unreserved characters stay literal. */
export const escapeUser = (text: string): string => (UNRESERVED.test(text) ? text : escaped(text));

const escaped = (text: string): string =>
  [...Buffer.from(text, 'utf8')]
    .map((byte) => {
      const c = String.fromCharCode(byte);
      return UNRESERVED.test(c) ? c : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');

/** The decoded user part without control characters. Parameters inside it (`+1415;phone-context=`) are removed. */
export function userOf(uri: Uri | null): string {
  if (uri === null) return '';
  if (uri.scheme === 'tel') return uri.number.replace(/[().-]/g, '');
  const user = (uri.user ?? '').split(/[;:]/)[0] ?? '';
  try {
    return withoutControl(decodeURIComponent(user));
  } catch {
    return user;
  }
}
