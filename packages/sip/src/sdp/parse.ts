import { isIP } from 'node:net';
import { isHostName } from './host-names.ts';
import {
  MAX_SDP_LENGTH,
  type SdpAttribute,
  type SdpMedia,
  type SdpOrigin,
  type SessionDescription,
} from './session-description.ts';

const MAX_LINES = 512;
const MAX_LINE_LENGTH = 1024;
const MAX_MEDIA = 16;
const MAX_FORMATS = 64;
const MAX_ATTRIBUTES = 128;

export type SdpResult = { ok: true; sdp: SessionDescription } | { ok: false; reason: string };

const TOKEN = /^[!-~]+$/;
const fail = (reason: string): SdpResult => ({ ok: false, reason });

interface MutableMedia extends SdpMedia {
  attributes: SdpAttribute[];
  address: string | null;
  hostName: string | null;
}

/** A decimal of at most five digits in 0..65535, or null. */
export function parsePort(text: string): number | null {
  if (!/^\d{1,5}$/.test(text)) return null;
  const port = Number(text);
  return port <= 65535 ? port : null;
}

/** `IN IP4 192.0.2.1` or with a multicast `/ttl`; null for host names and anything else. */
export function parseConnection(value: string): string | null {
  const [net, type, addressAndTtl] = value.split(' ');
  if (net !== 'IN' || (type !== 'IP4' && type !== 'IP6') || !addressAndTtl) return null;
  const address = addressAndTtl.split('/')[0] as string;
  // A zone (`fe80::1%eth0`) names one of our interfaces, which the peer must not choose.
  if (address.includes('%')) return null;
  return isIP(address) === (type === 'IP4' ? 4 : 6) ? address : null;
}

/** The host name in the place of the address; null: there is none. */
export function parseHostName(value: string): string | null {
  const [net, type, host = ''] = value.split(' ');
  return net === 'IN' && (type === 'IP4' || type === 'IP6') && isHostName(host) ? host : null;
}

function parseOrigin(value: string): SdpOrigin | null {
  const fields = value.split(' ');
  const [username, sessionId, sessionVersion, , , address] = fields;
  if (fields.length !== 6 || !username || !sessionId || !sessionVersion || !address) return null;
  return fields.every((field) => TOKEN.test(field)) ? { username, sessionId, sessionVersion, address } : null;
}

function parseAttribute(value: string): SdpAttribute {
  const colon = value.indexOf(':');
  return colon < 0
    ? { name: value.trim().toLowerCase(), value: null }
    : { name: value.slice(0, colon).trim().toLowerCase(), value: value.slice(colon + 1).trim() };
}

function parseMedia(
  value: string,
  { address, hostName }: Pick<SdpMedia, 'address' | 'hostName'>,
): MutableMedia | null {
  const [kind, portAndCount, protocol, ...formats] = value.split(/ +/).filter((part) => part !== '');
  if (!kind || !portAndCount || !protocol || formats.length === 0 || formats.length > MAX_FORMATS)
    return null;
  if (![kind, protocol, ...formats].every((token) => TOKEN.test(token))) return null;
  const port = parsePort(portAndCount.split('/')[0] as string);
  if (port === null) return null;
  return { kind: kind.toLowerCase(), port, protocol, formats, address, hostName, attributes: [] };
}

/**
 * Parses an SDP body (RFC 8866). Lines may end in CRLF or LF; unknown line types are skipped. Never throws; fails on
 * a missing `v=0`, a malformed `m=` line or an exceeded limit.
 */
export function parseSdp(text: string): SdpResult {
  if (text.length > MAX_SDP_LENGTH) return fail('too long');
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.length > MAX_LINES) return fail('too many lines');
  if (lines[0]?.trim() !== 'v=0') return fail('does not start with v=0');

  let origin: SdpOrigin | null = null;
  let session: Pick<SdpMedia, 'address' | 'hostName'> = { address: null, hostName: null };
  const sessionAttributes: SdpAttribute[] = [];
  const media: MutableMedia[] = [];

  for (const line of lines.slice(1)) {
    if (line === '') continue;
    if (line.length > MAX_LINE_LENGTH) return fail('line too long');
    if (line.charAt(1) !== '=') return fail('line without a type');
    const value = line.slice(2).trim();
    const current = media.at(-1);
    switch (line.charAt(0)) {
      case 'o':
        if (!current) origin = parseOrigin(value);
        break;
      case 'c': {
        const connection = { address: parseConnection(value), hostName: parseHostName(value) };
        if (current) Object.assign(current, connection);
        else session = connection;
        break;
      }
      case 'm': {
        if (media.length === MAX_MEDIA) return fail('too many media lines');
        const next = parseMedia(value, session);
        if (!next) return fail('bad media line');
        media.push(next);
        break;
      }
      case 'a': {
        const attributes = current ? current.attributes : sessionAttributes;
        if (attributes.length === MAX_ATTRIBUTES) return fail('too many attributes');
        attributes.push(parseAttribute(value));
        break;
      }
      default:
        break;
    }
  }
  return { ok: true, sdp: { origin, ...session, attributes: sessionAttributes, media } };
}
