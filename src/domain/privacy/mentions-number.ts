import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** Digits with what people write between them; no line ends, so that rows stay apart. */
const RUNS = /\d(?:[ \t().\-/\u2010-\u2015]*\d){4,}/gu;
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
    for (const [run] of text.normalize('NFKC').matchAll(RUNS)) {
      const digits = digitsOf(run);
      if (sought.some((number) => digits.includes(number))) return true;
    }
    return false;
  };
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
