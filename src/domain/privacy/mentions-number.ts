import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** Digits with common separators; no line ends, so that rows stay separate. */
const RUNS = /\d(?:[ \t().\-/\u2010-\u2015_\u00B7:*']*\d){4,}/gu;
/** Invisible and combining characters. */
const INVISIBLE = /[\p{Cf}\p{M}]/gu;
const DIGIT = /\p{Nd}/u;
const FOREIGN_DIGITS = /(?!\d)\p{Nd}/gu;
/** Shorter national numbers match only with their country code, to avoid false positives. */
const MIN_NATIONAL_DIGITS = 7;

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');

/**
 * Returns a predicate for texts that contain one of these E.164 numbers in any notation: with or without country
 * code, trunk prefix and separators, or as a spreadsheet mangled it. Pure.
 */
export function numberMentions(numbers: readonly string[]): (text: string) => boolean {
  const sought = numbers.flatMap(formsOf);
  return (text) => {
    for (const [run] of plain(text).matchAll(RUNS)) {
      const digits = digitsOf(run);
      if (sought.some((number) => digits.includes(number))) return true;
    }
    return false;
  };
}

/** Normalises digits of every script to 0 to 9. */
const plain = (text: string): string =>
  text.normalize('NFKC').replaceAll(INVISIBLE, '').replaceAll(FOREIGN_DIGITS, valueOf);

/** The value of a digit: the digits of a script are consecutive from its zero (Unicode, section 4.6). */
function valueOf(digit: string): string {
  const at = digit.codePointAt(0) ?? 0;
  let zero = at;
  while (DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((at - zero) % 10);
}

/** The digit strings that identify a number, with any prefix. */
function formsOf(number: string): string[] {
  const parsed = parsePhoneNumberFromString(number);
  // Some countries use other digits nationally than after the country code.
  const national = [
    parsed?.nationalNumber ?? '',
    digitsOf(parsed?.formatNational() ?? '').replace(/^0+/, ''),
  ];
  const long = national.filter((digits) => digits.length >= MIN_NATIONAL_DIGITS);
  return [number.slice(1), ...long];
}
