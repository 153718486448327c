import { readAloud } from '@callwright/language';
import { cardinal, ordinal } from './number-words.ts';

/** Tables of hibari's files. */
export interface WordingData {
  /** Before a name: "St" → "Saint". */
  readonly titles: Readonly<Record<string, string>>;
  /** With their full stop: "St." → "Street". */
  readonly abbreviations: Readonly<Record<string, string>>;
  /** After a number: one and several. */
  readonly units: Readonly<Record<string, readonly [string, string]>>;
  /** Words after which a Roman numeral is a number ("Chapter IV"), or an ordinal ("Henry VIII"). */
  readonly roman_cardinal: readonly string[];
  readonly roman_ordinal: readonly string[];
}

/** A text with its abbreviations, units, times and days in words; pure. */
export type Wording = (text: string) => string;

const MONTHS =
  'January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec';
const MONTH_DAY = new RegExp(String.raw`\b(${MONTHS})\.? (\d{1,2})(?![\w:%/]|[.,]\d)`, 'g');
const DAY_MONTH = new RegExp(String.raw`\b(the )?(\d{1,2}) (?:of )?(${MONTHS})\b\.?`, 'g');
const TIME = /\b(\d{1,2}):(\d{2})(?:\s?([AaPp])\.?[Mm]\b\.?)?(?![\d:])/g;
const NUMBER_AND_UNIT =
  /(?<![\w.])(-?\d{1,12}(?:,\d{3}){0,4}(?:\.\d{1,6})?)\s?([A-Za-z][A-Za-z/]{0,4})(?!\w)/g;
const TITLE = /\b([A-Z][a-z]{1,4})\.? (?=[A-Z])/g;
const ABBREVIATION = /(?<![\w.])([A-Za-z]{1,6}\.)(?!\w)/g;
/** Abbreviations that are words of their own unless a number follows ("He said no. I agree"). */
const BEFORE_NUMBERS: ReadonlySet<string> = new Set([
  'no.',
  'nos.',
  'fig.',
  'ch.',
  'pp.',
  'vol.',
  'ed.',
  'eds.',
]);
const ROMAN = /\b([A-Za-z]{2,10}) ((?=[IVXLC])(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3}))\b(?![.']\w)/g;
const PHONE = /(?<![\w.-])(?:\d{3}-)?\d{3}-\d{4}(?![\w.-])/g;
const FRACTION = /(?<![\w./])(\d{1,2})\/(\d{1,2})(?![\w./])/g;
const RANGE = /(?<![\w.-])(\d{1,4})\s?-\s?(\d{1,4})(?![\w.%-])/g;
const WEB =
  /\b(?:https?:\/\/)?(?:www\.)?((?:[a-z\d-]{1,63}\.){1,4}(?:com|org|net|edu|gov|io|co|uk|info|ai|app|dev)(?:\/[\w/-]{1,60})?)(?![\w@])/gi;
const ADDRESS = /(?<![\w.@-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g;
const SPELLED = /(?<![\w-])[A-Z](?:-[A-Z]){1,40}(?![\w-])/g;
const PARTS = ['', '', 'half', 'third', 'quarter', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];
const ROMAN_DIGITS: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50, C: 100 };

const monthOf = (month: string): string =>
  MONTHS.split('|').find((name) => name.startsWith(month.slice(0, 3))) ?? month;
const dayOf = (day: string): string | null => {
  const value = Number(day);
  return value >= 1 && value <= 31 ? ordinal(value).join(' ') : null;
};

function timeOf(found: string, hour: string, minute: string, half: string | undefined): string {
  if (Number(hour) > 24 || Number(minute) > 59) return found;
  const minutes = Number(minute);
  const words = [
    ...cardinal(Number(hour)),
    ...(minutes === 0 ? (half === undefined ? ["o'clock"] : []) : minutes < 10 ? ['oh'] : []),
    ...(minutes === 0 ? [] : cardinal(minutes)),
    ...(half === undefined ? [] : [`${half.toUpperCase()}M`]),
  ];
  return words.join(' ') + (half !== undefined && found.endsWith('.') ? '.' : '');
}

function fractionOf(_: string, above: string, below: string): string {
  const [count, whole] = [Number(above), Number(below)];
  const part = PARTS[whole] ?? '';
  if (count === 0 || count >= whole || part === '') return `${above} slash ${below}`;
  if (part === 'half') return 'one half';
  return `${count} ${part}${count === 1 ? '' : 's'}`;
}

const romanOf = (numeral: string): number =>
  numeral.split('').reduce((sum, one, i, all) => {
    const [value, next] = [ROMAN_DIGITS[one] ?? 0, ROMAN_DIGITS[all[i + 1] ?? ''] ?? 0];
    return sum + (next > value ? -value : value);
  }, 0);

/** How an English sentence is read: amounts, dates and numbers as `readAloud` has them, and what that leaves to the voice. */
export function wordingOf(data: WordingData): Wording {
  const titles = new Map(Object.entries(data.titles));
  const abbreviations = new Map(Object.entries(data.abbreviations));
  const units = new Map(Object.entries(data.units));
  const [cardinals, ordinals] = [new Set(data.roman_cardinal), new Set(data.roman_ordinal)];
  return (written) =>
    readAloud(written.replaceAll(/[’‘]/g, "'"), 'en-US')
      .text.replace(ADDRESS, (address) => address.replaceAll('@', ' at ').replaceAll('.', ' dot '))
      .replace(WEB, (_, address: string) => address.replaceAll('.', ' dot ').replaceAll('/', ' slash '))
      .replace(SPELLED, (letters) => letters.replaceAll('-', ', '))
      .replace(TIME, timeOf)
      .replace(NUMBER_AND_UNIT, (found, number: string, unit: string) => {
        const words = units.get(unit);
        return words === undefined ? found : `${number} ${number === '1' ? words[0] : words[1]}`;
      })
      .replace(MONTH_DAY, (found, month: string, day: string) => {
        const ordinalDay = dayOf(day);
        return ordinalDay === null ? found : `${monthOf(month)} ${ordinalDay}`;
      })
      .replace(DAY_MONTH, (found, _, day: string, month: string) => {
        const ordinalDay = dayOf(day);
        return ordinalDay === null ? found : `the ${ordinalDay} of ${monthOf(month)}`;
      })
      .replace(TITLE, (found, title: string) => {
        const words = titles.get(title);
        return words === undefined ? found : `${words} `;
      })
      .replace(ABBREVIATION, (found, short: string, at: number, whole: string) => {
        const words = abbreviations.get(short);
        const rest = whole.slice(at + found.length);
        const isWord = BEFORE_NUMBERS.has(short.toLowerCase()) && !/^ ?\d/.test(rest);
        return words === undefined || isWord ? found : words + (rest === '' ? '.' : '');
      })
      .replace(/\b[Nn]o\. ?(?=\d)/g, 'number ')
      .replace(/(?<![\w&])#(?=\d)/g, 'number ')
      .replace(ROMAN, (found, word: string, numeral: string) => {
        if (cardinals.has(word)) return `${word} ${romanOf(numeral)}`;
        return ordinals.has(word) ? `${word} the ${ordinal(romanOf(numeral)).join(' ')}` : found;
      })
      .replaceAll(/(?<=degrees? )([CF])(?!\w)/g, (scale) => (scale === 'C' ? 'Celsius' : 'Fahrenheit'))
      .replace(PHONE, (digits) => digits.replaceAll('-', ',').split('').join(' '))
      .replaceAll(/(?<=\d) (?=[1-9]\/[2-9](?![\w./]))/g, ' and ')
      .replace(FRACTION, fractionOf)
      .replace(RANGE, '$1 to $2')
      .replace(/(?<![\w+])\+(?=\d)/g, 'plus ')
      .replace(/(?<=\S) ?= ?(?=\S)/g, ' equals ')
      .replaceAll(/\s+/g, ' ')
      .replace(/ ([,.;:!?])/g, '$1')
      // The full stop after a letter would be part of an abbreviation.
      .replace(/(?<=(?<![\w.])[A-Z])\.$/, ' .')
      .trim();
}
