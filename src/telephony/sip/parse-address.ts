import { NO_PARAMS, parseParams, splitOutside, unquote, type Params } from './grammar.ts';
import type { NameAddr } from './message.ts';
import { schemeOf } from './uri.ts';

// A display name without quotes is tokens and blanks; letters beyond ASCII are let through.
const PLAIN_NAME = /^[A-Za-z0-9\-.!%*_+`'~\s\u0080-\uffff]*$/;
const QUOTED = /^"((?:[^"\\]|\\.)*)"\s*/;

/** From, To, one Contact or one Route value (RFC 3261 section 20.10). Null when malformed. */
export function parseAddress(text: string): NameAddr | null {
  const value = text.trim();
  const quoted = QUOTED.exec(value);
  if (quoted !== null) return parseAngled(value.slice(quoted[0].length), unquote(`"${quoted[1] ?? ''}"`));
  if (value.startsWith('"')) return null;
  const open = value.indexOf('<');
  if (open !== -1) {
    const name = value.slice(0, open);
    return PLAIN_NAME.test(name) ? parseAngled(value.slice(open), name.trim() || null) : null;
  }
  // Without brackets a semicolon begins header parameters, and a comma or question mark is not allowed.
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

/** A comma-separated list of addresses over several lines: Contact, Route, Record-Route. Null when malformed. */
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
