import { parsePhoneNumberFromString, type PhoneNumber } from 'libphonenumber-js/max';
import { isE164 } from './dialable-number.ts';

const MAX_NUMBER = 64;
/** Digits and what stands between them. */
const SHAPE = /^\+?\d[\d ().-]*$/;

/**
 * The number of whoever calls, in E.164 form where the trunk's spelling can be read as one: with an international
 * prefix, with the country's code but no plus sign, or national in the country of the called number. Anything else, a
 * withheld number too, stays what the trunk sent.
 */
export function callerNumber(from: string, called: string): string {
  return readings(from, called)[0] ?? from.slice(0, MAX_NUMBER);
}

/** Whether a caller's number as it was kept, which may be in no valid form, is one of these. */
export function isCallerOneOf(from: string, called: string, numbers: readonly string[]): boolean {
  if (numbers.includes(from)) return true;
  if (valid(from) !== null) return false;
  const digits = from.replaceAll(/\D/g, '');
  const withoutZeros = `+${digits.replace(/^0+/, '')}`;
  return [...readings(digits, called), withoutZeros].some((number) => numbers.includes(number));
}

/** E.164 numbers of a numbering plan that a spelling may stand for, the likeliest first. */
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
    // Some plans take fixed numbers of nearly any length, so that only a mobile number tells the two apart.
    own && digits.startsWith('0') ? valid(`+${digits.slice(1)}`, { mobile: true }) : null,
    code === undefined ? null : valid(digits, { code }),
    digits.startsWith('011') ? valid(`+${digits.slice(3)}`) : null,
    digits.startsWith('0') ? null : valid(`+${digits}`),
  ].filter((number) => number !== null);
}

function valid(text: string, asked: { code?: string; mobile?: boolean } = {}): string | null {
  const number: PhoneNumber | undefined = parsePhoneNumberFromString(text, {
    extract: false,
    ...(asked.code === undefined ? {} : { defaultCallingCode: asked.code }),
  });
  if (number?.isValid() !== true || !isE164(number.number)) return null;
  return asked.mobile === true && number.getType() !== 'MOBILE' ? null : number.number;
}
