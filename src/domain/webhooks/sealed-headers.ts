import type { Seal } from '../../shared/seal.ts';

const SECRET_NAME =
  /auth|token|secret|password|passwd|cookie|signature|credential|(^|[-_])(api)?-?key($|[-_])/i;
/** Long values without spaces look like credentials under any header name. */
const SECRET_VALUE = /^\S{24,}$/;
/** `sealed-header:<mask, base64url>:<sealed value>`. */
const SEALED = 'sealed-header:';

export const mask = (value: string): string => `${value.slice(0, 4)}***`;
/** Matches the output of `mask`. */
export const MASKED = /^.{4}\*\*\*$/su;
const isSealed = (value: string): boolean => value.startsWith(SEALED);

export const looksSecret = (name: string, value: string): boolean =>
  isSealed(value) || SECRET_NAME.test(name) || SECRET_VALUE.test(value);

/** The mask of a stored value. */
export function maskedValue(stored: string): string {
  if (!isSealed(stored)) return mask(stored);
  return Buffer.from(stored.slice(SEALED.length).split(':')[0] ?? '', 'base64url').toString();
}

/** The stored form of a receiver's headers: values that look like secrets are sealed, next to their mask. */
export function sealHeaders(seal: Seal, headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (!looksSecret(name, value)) return [name, value];
      return [name, `${SEALED}${Buffer.from(mask(value)).toString('base64url')}:${seal.seal(value)}`];
    }),
  );
}

/** Decrypts stored headers; null when another key sealed them. */
export function openHeaders(
  seal: Seal,
  stored: Readonly<Record<string, string>>,
): Record<string, string> | null {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(stored)) {
    if (!isSealed(value)) {
      headers[name] = value;
      continue;
    }
    const rest = value.slice(SEALED.length);
    const opened = seal.open(rest.slice(rest.indexOf(':') + 1));
    if (opened === null) return null;
    headers[name] = opened;
  }
  return headers;
}
