import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { isE164 } from './e164.ts';

/** The target of a transfer, a number or a SIP address, as the carrier may read it. */
export interface TransferTarget {
  /** Host of a SIP address, in lower case; null: a number, which the trunk of the call dials. */
  readonly host: string | null;
  /** Every E.164 number that the carrier may dial for it. Empty: a name or a short extension. */
  readonly numbers: readonly string[];
  /** A short extension or service code: digits of which only the host knows the meaning. */
  readonly isShort: boolean;
}

const SIP_ADDRESS =
  /^sips?:([A-Za-z0-9\-_.!~*'()+%]{1,64})(?:;[^@]{0,100})?@(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9.-]{1,253})(?::\d{1,5})?(;user=phone)?$/i;
const TEL = /^tel:([^;@]{1,64})(?:;[^@]{0,100})?$/i;
/** International prefixes that switches strip, such as 00, 011 (North America), 0011 (Australia) and 810 (Russia). */
const EXIT_PREFIXES = ['00', '011', '0011', '010', '009', '810'];
const SHORTEST_NUMBER = 7;
const MAX_DECODES = 3;

/**
 * Parses the target of a transfer. Null if the text is no target, or if its digits can stand for a number that cannot be
 * determined. `ours` are numbers of the workspace: a national number is read in their countries. Pure.
 */
export function transferTarget(text: string, ours: readonly string[]): TransferTarget | null {
  if (isE164(text)) return { host: null, numbers: [text], isShort: false };
  const sip = SIP_ADDRESS.exec(text);
  const user = decoded(sip?.[1] ?? TEL.exec(text)?.[1] ?? '');
  if (user === null || user === '') return null;
  const host = sip?.[2]?.toLowerCase() ?? null;
  // Everything from the first semicolon on is a parameter of the telephone number (RFC 3261 section 19.1.6).
  const digits = (user.split(';')[0] ?? '').replaceAll(/[-.() ]/g, '');
  if (!/\d/.test(digits) || /[A-Za-z]/.test(digits)) {
    const isName =
      sip !== null && /^[\w\-.!~*'()]+$/.test(user) && !/\d{7}/.test(digits) && sip[3] === undefined;
    return isName ? { host, numbers: [], isShort: false } : null;
  }
  if (digits.startsWith('+')) return isE164(digits) ? { host, numbers: [digits], isShort: false } : null;
  // A service code before a number, such as *67, hides the number.
  if (!/^\d+$/.test(digits)) return null;
  if (digits.length < SHORTEST_NUMBER) return sip === null ? null : { host, numbers: [], isShort: true };
  const numbers = [...new Set([...readings(digits, ours), ...outsideLine(digits, ours)])];
  return numbers.length === 0 ? null : { host, numbers, isShort: false };
}

/** Host of a SIP URI, in lower case; null if it has none. */
export const sipHost = (uri: string): string | null =>
  /^sips?:(?:[^@]*@)?(\[[0-9a-f:.]+\]|[a-z0-9.-]+)/i.exec(uri)?.[1]?.toLowerCase() ?? null;

/** Decodes percent-encoding as often as a chain of gateways may; null if it never ends or is broken. */
function decoded(user: string): string | null {
  let text = user;
  for (let left = MAX_DECODES; left > 0 && text.includes('%'); left -= 1) {
    try {
      text = decodeURIComponent(text);
    } catch {
      return null;
    }
  }
  return text.includes('%') ? null : text;
}

/** Readings behind a leading digit that takes an outside line. */
const outsideLine = (digits: string, ours: readonly string[]): string[] =>
  /^[09]/.test(digits) && digits.length > SHORTEST_NUMBER ? readings(digits.slice(1), ours) : [];

/** The numbers that digits without a plus sign can stand for. */
function readings(digits: string, ours: readonly string[]): string[] {
  const abroad = EXIT_PREFIXES.filter((prefix) => digits.startsWith(prefix))
    .map((prefix) => `+${digits.slice(prefix.length)}`)
    .filter(isE164);
  const codes = new Set(ours.map((number) => parsePhoneNumberFromString(number)?.countryCallingCode));
  const national = [...codes].map((code) =>
    code === undefined ? undefined : parsePhoneNumberFromString(digits, { defaultCallingCode: code }),
  );
  const valid = [parsePhoneNumberFromString(`+${digits}`), ...national].flatMap((number) =>
    number?.isValid() === true && isE164(number.number) ? [number.number] : [],
  );
  return [...abroad, ...valid];
}
