import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** Digits with what people write between them; no line ends, so that rows stay apart. */
const RUNS = /\d(?:[ \t().\-/\u2010-\u2015_\u00B7:*']*\d){4,}/gu;
/** Marks nobody sees, or sees around a digit. */
const UNSEEN = /[\p{Cf}\p{M}]/gu;
const DIGIT = /\p{Nd}/u;
const FOREIGN_DIGITS = /(?!\d)\p{Nd}/gu;
/** Shorter national numbers are looked for with their country code only: too much else has so few digits. */
const TELLING_DIGITS = 7;

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');

/**
 * Whether a text names one of these E.164 numbers, however it is written: with or without country code, trunk prefix
 * and what stands between digits, or as a spreadsheet spoilt it. Pure.
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

/** The text with the digits of every script as 0 to 9. */
const plain = (text: string): string =>
  text.normalize('NFKC').replaceAll(UNSEEN, '').replaceAll(FOREIGN_DIGITS, valueOf);

/** The digits of a script follow each other from its zero, ten by ten (Unicode, section 4.6). */
function valueOf(digit: string): string {
  const at = digit.codePointAt(0) ?? 0;
  let zero = at;
  while (DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((at - zero) % 10);
}

/** Digits by which a number is told, whatever stands before them. */
function formsOf(number: string): string[] {
  const parsed = parsePhoneNumberFromString(number);
  // Some countries write other digits at home than after their code.
  const national = [
    parsed?.nationalNumber ?? '',
    digitsOf(parsed?.formatNational() ?? '').replace(/^0+/, ''),
  ];
  const telling = national.filter((digits) => digits.length >= TELLING_DIGITS);
  return [number.slice(1), ...telling];
}
