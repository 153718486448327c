import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** `e164`: +919812345678; `digits`: 919812345678; `national`: as the country dials it, such as 09812345678. */
export type NumberFormat = 'e164' | 'digits' | 'national';

const E164 = /^\+[1-9]\d{1,14}$/;

/**
 * A number in E.164 form as a carrier writes it. Numbers outside the country of `callingCode` get the international
 * prefix in national form: 011 from North America, else 00. Anything but an E.164 number, such as a SIP URI or a short
 * extension, is returned unchanged and without the prefix. Pure.
 */
export function writtenNumber(
  number: string,
  rule: { readonly format: NumberFormat; readonly callingCode: string | null; readonly prefix?: string },
): string {
  if (!E164.test(number)) return number;
  return `${rule.prefix ?? ''}${inFormat(number, rule)}`;
}

function inFormat(
  number: string,
  { format, callingCode }: { readonly format: NumberFormat; readonly callingCode: string | null },
): string {
  const digits = number.slice(1);
  if (format === 'e164') return number;
  if (format === 'digits' || callingCode === null) return digits;
  if (!digits.startsWith(callingCode)) return `${callingCode === '1' ? '011' : '00'}${digits}`;
  const parsed = parsePhoneNumberFromString(number);
  if (parsed?.countryCallingCode !== callingCode) return digits.slice(callingCode.length);
  return parsed.formatNational().replaceAll(/\D/g, '');
}
