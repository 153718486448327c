import type { Language } from '../languages.ts';
import { asciiDigits } from '../text.ts';
import { spokenDigits, spokenNumber } from './spoken-number.ts';
import { isMonthFirst, spokenClock, spokenDate } from './spoken-time-of-day.ts';
import { SPOKEN_WORDS, type Currency, type SpokenWords } from './spoken-words.ts';

/** A text as it is spoken. */
export interface ReadAloud {
  readonly text: string;
  /** The end in the written text of what ends at `end` in the spoken one; inside a rewritten piece: its start. */
  writtenEnd(end: number): number;
}

interface Piece {
  readonly from: number;
  readonly to: number;
  readonly spoken: string;
}

/** What a pattern found becomes; null: it stays. */
type Rule = readonly [RegExp, (match: RegExpExecArray, call: Call) => string | null];
interface Call {
  readonly language: Language;
  readonly words: SpokenWords;
  /** The text before what was found. */
  readonly before: string;
}

const LONGEST = 4_000;
const AMOUNT = String.raw`(\d{1,3}(?:,\d{2,3}){1,5}|\d{1,15})(?:\.(\d{1,4}))?`;
const SIGNS: Readonly<Record<string, Currency>> = {
  '₹': 'INR',
  rs: 'INR',
  'rs.': 'INR',
  inr: 'INR',
  $: 'USD',
  us$: 'USD',
  usd: 'USD',
  a$: 'AUD',
  aud: 'AUD',
  '£': 'GBP',
  gbp: 'GBP',
  '€': 'EUR',
  eur: 'EUR',
  aed: 'AED',
  rm: 'MYR',
  myr: 'MYR',
  '¥': 'CNY',
  cny: 'CNY',
  rmb: 'CNY',
  mmk: 'MMK',
};
const SIGN = String.raw`(₹|Rs\.?|INR|US\$|A\$|\$|USD|AUD|£|GBP|€|EUR|AED|RM|MYR|¥|CNY|RMB|MMK)`;
const SCALE = String.raw`( (?:thousand|lakhs?|crores?|million|billion)|(?:[kK]|[mM][nN]?|[bB][nN]?)(?![\p{L}\d]))?`;
/** Letters in the place of a scale ("$5k"). */
const SCALES: Readonly<Record<string, string>> = { k: ' thousand', m: ' million', b: ' billion' };

/** Words after which digits are an identifier. */
const NAMES_DIGITS =
  /(?:\b(?:number|no|id|code|otp|pin|pincode|account|order|reference|ref|zip|postcode|ticket|policy|booking|invoice|extension|nombor|kod)\b|नंबर|नम्बर|क्रमांक|आईडी|ओटीपी|पिन|कोड|নম্বর|নাম্বার|কোড|ಸಂಖ್ಯೆ|ನಂಬರ್|ಕೋಡ್|எண்|குறியீடு|నంబర్|నెంబర్|కోడ్|નંબર|કોડ|ਨੰਬਰ|ਕੋਡ|ନମ୍ବର|କୋଡ|号码|编号|验证码|代码|နံပါတ်|ကုဒ်|رقم|رمز)[\s.:#-]{0,3}(?:is |है |是)?$/iu;

const RULES: readonly Rule[] = [
  [
    /(?<![\d-])(\d{4})-(\d{2})-(\d{2})(?![\d-])/g,
    ([, y = '', m, d], { words }) => spokenDate({ year: y, month: Number(m), day: Number(d) }, words),
  ],
  [
    /(?<![\d/.-])(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?![\d/-])/g,
    ([, a, , b, year = ''], { words, language }) => {
      const [first, second] = [Number(a), Number(b)];
      const monthFirst = second > 12 || (isMonthFirst(language) && first <= 12);
      const [month, day] = monthFirst ? [first, second] : [second, first];
      return spokenDate({ year, month, day }, words);
    },
  ],
  [
    /(?<![\d:.])(\d{1,2}):(\d{2})(?![\d:])(?: ?([ap])(?:m\b|\.m\b(?:\.(?= ?\S))?))?/gi,
    ([, hour, minute, half], { words }) =>
      spokenClock(
        Number(hour),
        Number(minute),
        half === undefined ? null : half.toLowerCase() === 'a' ? 'am' : 'pm',
        words,
      ),
  ],
  [
    new RegExp(String.raw`(?<![\p{L}\d])${SIGN} ?${AMOUNT}(?![\d])${SCALE}`, 'giu'),
    ([, sign = '', whole = '', part = '', scale], { words }) => spokenMoney(sign, whole, part, scale, words),
  ],
  [
    new RegExp(
      String.raw`(?<![\p{L}\d.,])${AMOUNT}${SCALE} ?(₹|€|£|INR|USD|AUD|GBP|EUR|AED|MYR|CNY|RMB|MMK)(?![\p{L}\d])`,
      'gu',
    ),
    ([, whole = '', part = '', scale, sign = ''], { words }) => spokenMoney(sign, whole, part, scale, words),
  ],
  [
    new RegExp(String.raw`(?<![\p{L}\d.,])${AMOUNT} ?%`, 'gu'),
    ([, whole = '', part = ''], { words }) => {
      const number = spokenNumber(plain(whole), part, words);
      return words.locale === 'zh' ? `${words.percent}${number}` : `${number} ${words.percent}`;
    },
  ],
  [
    /(?<![\p{L}\d.,])(?:(?:\+\d{1,3}[ -]?)?\(\d{2,4}\) ?|\+)?\d[\d -]{4,20}\d(?![\d,.]\d|[\p{L}\d])/gu,
    ([found], { words }) => {
      const digits = found.replaceAll(/\D/g, '');
      const isPhone =
        digits.length >= 9 && digits.length <= 16 && (/^\+|[-(]/.test(found) || /\d{5}/.test(found));
      if (!isPhone) return null;
      // The country's code stands apart.
      const code = found.startsWith('+') && digits.length > 10 ? digits.slice(0, -10) : '';
      return [code, digits.slice(code.length)]
        .flatMap((part) => (part === '' ? [] : spokenDigits(part, words)))
        .join(words.locale === 'zh' ? '，' : ', ');
    },
  ],
  [
    /(?<![\p{L}\d])(?=[A-Z\d-]{4,24}(?![\p{L}\d-]))[A-Z]{1,6}-?\d[A-Z\d-]*/gu,
    ([found], { words }) => {
      if (found.replaceAll(/\D/g, '').length < 3) return null;
      return found
        .match(/[A-Z]+|\d+/g)!
        .map((run) =>
          /\d/.test(run) ? spokenDigits(run, words) : run.length > 4 ? run : run.split('').join(' '),
        )
        .join(', ');
    },
  ],
  [
    new RegExp(String.raw`(?<![\p{L}\d.,])${AMOUNT}(?![\d%]|[.,]\d|-\d)`, 'gu'),
    ([, whole = '', part = ''], { words, before }) => {
      const digits = plain(whole);
      const isGrouped = whole.includes(',');
      if (!isGrouped && part === '' && isIdentifier(digits, before)) return spokenDigits(digits, words);
      // Voices read short numbers and years themselves.
      if (part === '' && !isGrouped && digits.length <= 4) return null;
      return spokenNumber(digits, part, words);
    },
  ],
];

/** Digits without separators: an amount has many zeros or few digits, an identifier a name, a leading zero or six digits. */
function isIdentifier(digits: string, before: string): boolean {
  if (digits.length < 3) return false;
  if (digits.startsWith('0') || NAMES_DIGITS.test(before)) return true;
  return digits.length >= 6 && !digits.endsWith('000');
}

const plain = (amount: string): string => amount.replaceAll(',', '');

function spokenMoney(
  sign: string,
  whole: string,
  part: string,
  scale: string | undefined,
  words: SpokenWords,
): string | null {
  const currency = SIGNS[sign.toLowerCase()];
  if (currency === undefined) return null;
  const { unit, part: hundredth } = words.currencies[currency];
  const digits = plain(whole);
  const cents = part === '' ? 0 : Number(part.padEnd(2, '0').slice(0, 2));
  const isOne = Number(digits) === 1 && scale === undefined;
  const name = isOne ? unit[0] : unit[1];
  const { gap } = words;
  const scaled = scale === undefined || scale.startsWith(' ') ? scale : SCALES[scale.charAt(0).toLowerCase()];
  if (scaled !== undefined) return `${spokenNumber(digits, part, words)}${scaled}${gap}${name}`;
  if (hundredth === null || part.length > 2) return `${spokenNumber(digits, part, words)}${gap}${name}`;
  const small = `${cents}${gap}${cents === 1 ? hundredth[0] : hundredth[1]}`;
  if (cents > 0 && Number(digits) === 0) return small;
  const large = `${spokenNumber(digits, '', words)}${gap}${name}`;
  return cents === 0 ? large : [large, words.and, small].filter((piece) => piece !== '').join(' ');
}

/**
 * Rewrites numbers, money, dates, times, phone numbers and identifiers as people say them in the language. Words between
 * them stay as they are. Pure; text beyond 4,000 characters stays.
 */
export function readAloud(written: string, language: Language): ReadAloud {
  // Digits of one UTF-16 unit only, so that places in the text stay the same.
  const text = written.replaceAll(/\p{Nd}/gu, (digit) => (digit.length === 1 ? asciiDigits(digit) : digit));
  const words = SPOKEN_WORDS[language];
  const pieces = piecesOf(text.slice(0, LONGEST), { language, words });
  let spoken = '';
  let at = 0;
  const ends: { readonly spoken: number; readonly piece: Piece }[] = [];
  for (const piece of pieces) {
    spoken += text.slice(at, piece.from) + piece.spoken;
    at = piece.to;
    ends.push({ spoken: spoken.length, piece });
  }
  spoken += text.slice(at);
  return {
    text: spoken,
    writtenEnd(end) {
      let shift = 0;
      for (const entry of ends) {
        if (end <= entry.spoken - entry.piece.spoken.length) break;
        if (end < entry.spoken) return entry.piece.from;
        shift = entry.piece.to - entry.spoken;
      }
      return Math.min(written.length, end + shift);
    },
  };
}

function piecesOf(text: string, { language, words }: Omit<Call, 'before'>): Piece[] {
  if (!/\d/.test(text)) return [];
  const taken: Piece[] = [];
  for (const [pattern, say] of RULES) {
    for (const match of text.matchAll(pattern)) {
      const [from, to] = [match.index, match.index + match[0].length];
      if (taken.some((piece) => from < piece.to && to > piece.from)) continue;
      const before = text.slice(Math.max(0, from - 30), from);
      const spoken = say(match, { language, words, before });
      if (spoken !== null) taken.push({ from, to, spoken });
    }
  }
  return taken.sort((one, other) => one.from - other.from);
}
