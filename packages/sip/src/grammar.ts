/** Parameters of a header field or URI: names in lower case, quoted values keep their quotes. */
export type Params = ReadonlyMap<string, string | null>;

export const NO_PARAMS: Params = new Map();

const PARAM_VALUE = /^(?:"(?:[^"\\]|\\.)*"|[^\s"<>,;]+)$/;

/** 1 at the code of each character of a token. */
const TOKEN_CODES = new Uint8Array(128);
for (const c of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-.!%*_+`'~")
  TOKEN_CODES[c.charCodeAt(0)] = 1;

/** RFC 3261 section 25.1 `token`. A loop over a table: a regular expression costs more to call than short texts to read. */
export function isToken(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (TOKEN_CODES[text.charCodeAt(i)] !== 1) return false;
  return text !== '';
}

const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const OPEN = 0x3c;
const CLOSE = 0x3e;

/** Splits outside quoted strings and angle brackets. Null when a quote or bracket is not closed. */
export function splitOutside(text: string, separator: ',' | ';'): string[] | null {
  if (!text.includes('"') && !text.includes('<')) return text.split(separator);
  const separatorCode = separator.charCodeAt(0);
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  let angled = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (quoted) {
      if (c === BACKSLASH) i++;
      else if (c === QUOTE) quoted = false;
    } else if (c === QUOTE) quoted = true;
    else if (c === OPEN) angled = true;
    else if (c === CLOSE) angled = false;
    else if (c === separatorCode && !angled) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  if (quoted || angled) return null;
  parts.push(text.slice(start));
  return parts;
}

/** `a=1;b;c="x"` without a leading semicolon. Null for an empty, repeated or malformed parameter. */
export function parseParams(text: string): Params | null {
  const parts = splitOutside(text, ';');
  if (parts === null) return null;
  const params = new Map<string, string | null>();
  for (const part of parts) {
    const equals = part.indexOf('=');
    const name = (equals === -1 ? part : part.slice(0, equals)).trim().toLowerCase();
    if (!isToken(name) || params.has(name)) return null;
    if (equals === -1) {
      params.set(name, null);
      continue;
    }
    const value = part.slice(equals + 1).trim();
    if (!isToken(value) && !PARAM_VALUE.test(value)) return null;
    params.set(name, value);
  }
  return params;
}

/** `;a=1;b`, or the empty string. */
export function formatParams(params: Params): string {
  let out = '';
  for (const [name, value] of params) out += value === null ? `;${name}` : `;${name}=${value}`;
  return out;
}

/** A quoted-string with `"`, `\` and control characters escaped. The caller excludes CR and LF. */
// oxlint-disable-next-line no-control-regex -- escapes control characters
export const quote = (text: string): string => `"${text.replace(/["\\\u0000-\u001f\u007f]/g, '\\$&')}"`;

/** Content of a quoted-string; text without quotes is returned unchanged. */
export function unquote(text: string): string {
  return text.length >= 2 && text.startsWith('"') && text.endsWith('"')
    ? text.slice(1, -1).replace(/\\(.)/g, '$1')
    : text;
}

/** Digits only, at most `max`; null otherwise. Leading zeros are allowed, as in `Max-Forwards: 0068`. */
export function parseDecimal(text: string, max: number): number | null {
  if (text === '' || text.length > 20) return null;
  let value = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return null;
    value = value * 10 + digit;
  }
  return value <= max ? value : null;
}

// oxlint-disable no-control-regex -- these match control characters
/** True for text that could inject header lines. */
export const hasControl = (text: string): boolean => /[\u0000-\u001f\u007f]/.test(text);

/** Removes control characters, so that text from the wire is safe to store and display. */
export const withoutControl = (text: string): string => text.replace(/[\u0000-\u001f\u007f]/g, '');
