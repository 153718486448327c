import { parsePhoneNumberFromString, type PhoneNumber } from 'libphonenumber-js/max';
import { isE164 } from './e164.ts';

const MAX_NUMBER = 64;
/** Digits and common separators. */
const SHAPE = /^\+?\d[\d ().-]*$/;

/**
 * The caller's number in E.164 form, if the trunk's format can be parsed: with an international prefix, with a
 * country code without plus sign, or national in the country of the called number. Anything else, including a
 * withheld number, stays as sent.
 */
export function callerNumber(from: string, called: string): string {
  return readings(from, called)[0] ?? from.slice(0, MAX_NUMBER);
}

/** Whether a stored caller number, possibly in an invalid format, is one of `numbers`. */
export const isCallerOneOf = (from: string, called: string, numbers: readonly string[]): boolean =>
  callerForms(from, called).some((number) => numbers.includes(number));

/** Every number that a stored caller number can stand for, the text itself first. */
export function callerForms(from: string, called: string): string[] {
  if (valid(from) !== null) return [from];
  const digits = from.replaceAll(/\D/g, '');
  return [from, ...readings(digits, called), `+${digits.replace(/^0+/, '')}`];
}

/** Valid E.164 numbers that the text can stand for, most likely first. */
function readings(from: string, called: string): string[] {
  const text = from.trim();
  if (!SHAPE.test(text)) return [];
  const digits = text.replaceAll(/\D/g, '');
  if (text.startsWith('+')) return [valid(`+${digits}`)].filter((number) => number !== null);
  const code = parsePhoneNumberFromString(called.startsWith('+') ? called : `+${called}`)?.countryCallingCode;
  const own = code !== undefined && digits.replace(/^0/, '').startsWith(code);
  return [
    digits.startsWith('00') ? valid(`+${digits.slice(2)}`) : null,
    own && !digits.startsWith('0') ? valid(`+${digits}`) : null,
    // Some numbering plans accept fixed-line numbers of nearly any length, so only a mobile number is unambiguous.
    own && digits.startsWith('0') ? valid(`+${digits.slice(1)}`, { mobile: true }) : null,
    code === undefined ? null : valid(digits, { code }),
    digits.startsWith('011') ? valid(`+${digits.slice(3)}`) : null,
    digits.startsWith('0') ? null : valid(`+${digits}`),
  ].filter((number) => number !== null);
}

function valid(text: string, as: { code?: string; mobile?: boolean } = {}): string | null {
  const number: PhoneNumber | undefined = parsePhoneNumberFromString(text, {
    extract: false,
    ...(as.code === undefined ? {} : { defaultCallingCode: as.code }),
  });
  if (number?.isValid() !== true || !isE164(number.number)) return null;
  return as.mobile === true && number.getType() !== 'MOBILE' ? null : number.number;
}
