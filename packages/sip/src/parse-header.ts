import {
  isToken,
  NO_PARAMS,
  type Params,
  parseDecimal,
  parseParams,
  splitOutside,
  unquote,
} from './grammar.ts';
import type { CSeq, NameAddr, Via } from './message.ts';
import { parseHostPort, schemeOf } from './uri.ts';

// An unquoted display name is tokens and spaces; non-ASCII letters are tolerated.
const PLAIN_NAME = /^[A-Za-z0-9\-.!%*_+`'~\s\u0080-\uffff]*$/;
/** Names as phones send them unquoted: `AT&T`, `Smith, John`, `ACME (UK)`. */
const LOOSE_NAME = /^[^"<>]*$/;
const QUOTED = /^"((?:[^"\\]|\\.)*)"\s*/;

/**
 * From or To of a request. Both only name the parties, so that an unquoted display name may have any separators and
 * the parameters a semicolon after them: a call is worth more than the grammar. Null when malformed.
 */
export function parseParty(text: string): NameAddr | null {
  const value = text.trimEnd();
  return parseAddress(value.endsWith(';') ? value.slice(0, -1) : value, LOOSE_NAME);
}

/** From, To, one Contact or one Route value (RFC 3261 section 20.10). Null when malformed. */
export function parseAddress(text: string, plainName: RegExp = PLAIN_NAME): NameAddr | null {
  const value = text.trim();
  if (value.startsWith('"')) {
    const close = value.indexOf('"', 1);
    const name = value.slice(1, close);
    if (close !== -1 && !name.includes('\\')) return parseAngled(value.slice(close + 1).trimStart(), name);
    const quoted = QUOTED.exec(value);
    if (quoted === null) return null;
    return parseAngled(value.slice(quoted[0].length), unquote(`"${quoted[1] ?? ''}"`));
  }
  const open = value.indexOf('<');
  if (open !== -1) {
    const name = value.slice(0, open);
    if (open === 0) return parseAngled(value, null);
    return plainName.test(name) ? parseAngled(value.slice(open), name.trim() || null) : null;
  }
  // Without angle brackets a semicolon starts header parameters, and comma and question mark are not allowed.
  const semicolon = value.indexOf(';');
  const uri = (semicolon === -1 ? value : value.slice(0, semicolon)).trim();
  if (/[?,\s<>"]/.test(uri) || schemeOf(uri) === null) return null;
  const params = semicolon === -1 ? NO_PARAMS : parseParams(value.slice(semicolon + 1));
  return params === null ? null : { displayName: null, uri, params };
}

function parseAngled(text: string, displayName: string | null): NameAddr | null {
  const close = text.indexOf('>');
  if (!text.startsWith('<') || close === -1) return null;
  const uri = text.slice(1, close);
  if (/[\s<"]/.test(uri) || schemeOf(uri) === null) return null;
  const params = parseTail(text.slice(close + 1).trim());
  return params === null ? null : { displayName, uri, params };
}

function parseTail(tail: string): Params | null {
  if (tail === '') return NO_PARAMS;
  return tail.startsWith(';') ? parseParams(tail.slice(1)) : null;
}

/** A comma-separated address list over several lines: Contact, Route, Record-Route. Null when malformed. */
export function parseAddressList(lines: readonly string[]): NameAddr[] | null {
  const addresses: NameAddr[] = [];
  for (const line of lines) {
    const parts = splitOutside(line, ',');
    if (parts === null) return null;
    for (const part of parts) {
      const address = parseAddress(part);
      if (address === null) return null;
      addresses.push(address);
    }
  }
  return addresses;
}

const VIA = /^SIP\s*\/\s*2\.0\s*\/\s*([^\s;/]+)\s+([^\s;]+(?:\s*:\s*\d+)?)\s*(?:;([^]*))?$/i;

/** A Via value as nearly every peer writes it, without spaces around its separators; null: VIA decides. */
function parsePlainVia(part: string): Via | null {
  if (!part.startsWith('SIP/2.0/')) return null;
  const space = part.indexOf(' ', 8);
  const semicolon = part.indexOf(';', 8);
  if (space === -1 || (semicolon !== -1 && semicolon < space)) return null;
  const transport = part.slice(8, space);
  const sentBy = parseHostPort(part.slice(space + 1, semicolon === -1 ? part.length : semicolon));
  const params = semicolon === -1 ? NO_PARAMS : parseParams(part.slice(semicolon + 1));
  if (!isToken(transport) || sentBy === null || params === null) return null;
  return { transport: transport.toUpperCase(), host: sentBy.host, port: sentBy.port, params };
}

/** The Via values of one header line, topmost first. Null when any of them is malformed. */
export function parseVia(line: string): Via[] | null {
  const parts = line.includes(',') ? splitOutside(line, ',') : [line];
  if (parts === null) return null;
  const vias: Via[] = [];
  for (const part of parts) {
    const text = part.trim();
    const plain = parsePlainVia(text);
    if (plain !== null) {
      vias.push(plain);
      continue;
    }
    const match = VIA.exec(text);
    if (match === null) return null;
    const sentBy = parseHostPort((match[2] ?? '').replace(/\s/g, ''));
    const params = match[3] === undefined ? NO_PARAMS : parseParams(match[3]);
    if (sentBy === null || params === null || !isToken(match[1] ?? '')) return null;
    vias.push({ transport: (match[1] ?? '').toUpperCase(), host: sentBy.host, port: sentBy.port, params });
  }
  return vias;
}

/** `4711 INVITE`; the number is below 2^31 (RFC 3261 section 8.1.1.5). */
export function parseCSeq(value: string): CSeq | null {
  const match = /^(\d+)\s+(\S+)$/.exec(value);
  const sequence = parseDecimal(match?.[1] ?? '', 2 ** 31 - 1);
  const method = match?.[2] ?? '';
  return sequence === null || !isToken(method) ? null : { sequence, method };
}
