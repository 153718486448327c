/** Parameters of a header field or URI: names in lower case, quoted values keep their quotes. */
export type Params = ReadonlyMap<string, string | null>;

export const NO_PARAMS: Params = new Map();

const TOKEN = /^[A-Za-z0-9\-.!%*_+`'~]+$/;
const PARAM_VALUE = /^(?:"(?:[^"\\]|\\.)*"|[^\s"<>,;]+)$/;

/** RFC 3261 section 25.1 `token`. */
export const isToken = (text: string): boolean => TOKEN.test(text);

/** Splits outside quoted strings and angle brackets. Null when a quote or bracket is not closed. */
export function splitOutside(text: string, separator: ',' | ';'): string[] | null {
  if (!text.includes('"') && !text.includes('<')) return text.split(separator);
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  let angled = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c === '\\') i++;
      else if (c === '"') quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === '<') angled = true;
    else if (c === '>') angled = false;
    else if (c === separator && !angled) {
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
    if (!PARAM_VALUE.test(value)) return null;
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
  if (!/^\d{1,20}$/.test(text)) return null;
  const value = Number(text);
  return value <= max ? value : null;
}

// oxlint-disable no-control-regex -- these match control characters
/** True for text that could inject header lines. */
export const hasControl = (text: string): boolean => /[\u0000-\u001f\u007f]/.test(text);

/** Removes control characters, so that text from the wire is safe to store and display. */
export const withoutControl = (text: string): string => text.replace(/[\u0000-\u001f\u007f]/g, '');
