import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { isE164 } from './e164.ts';

/** Digits with the separators that people write between them. */
const NUMBER_SHAPE = /^(?:\+|00)[\d\s().\-/\u00A0\u2010-\u2015]+$/u;

/**
 * The E.164 form of a number with its country code: spaces, brackets, dashes, dots and the prefix 00 are accepted. Null
 * where the country code is missing, or 00 leads to no number of a numbering plan.
 */
export function toE164(text: string): string | null {
  const value = text.trim();
  if (isE164(value)) return value;
  if (!NUMBER_SHAPE.test(value)) return null;
  const e164 = `+${value.replaceAll(/\D/g, '').replace(value.startsWith('00') ? /^00/ : '', '')}`;
  if (!isE164(e164)) return null;
  const number = parsePhoneNumberFromString(e164);
  // A national prefix in brackets, as in +44 (0)20, makes other digits than the number that is meant.
  return number !== undefined && number.number === e164 && number.isValid() ? e164 : null;
}

/** A number in a filter of a list: as `toE164`, also without its plus, which a URL turns into a space. */
export function filteredNumber(text: string): string {
  const value = text.trim();
  return toE164(value) ?? (isE164(`+${value}`) ? `+${value}` : text);
}
