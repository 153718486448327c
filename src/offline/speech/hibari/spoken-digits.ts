import { past, participle, plural, type Lexicon } from './lexicon.ts';
import { cardinal, decimal, ordinal, year } from './number-words.ts';

const ORDINAL_ENDINGS: ReadonlySet<string> = new Set(['st', 'nd', 'rd', 'th']);
const ENDINGS = ['ing', "'d", 'ed', "'s", 'st', 'nd', 'rd', 'th', 's'] as const;
const isDigits = (text: string): boolean => /^\d+$/.test(text);

/** Whether the word is a number, perhaps with an ending ("1990s", "3rd"). `isHead`: it begins a word, so it may have a sign. */
export function isNumber(word: string, isHead: boolean): boolean {
  const ending = ENDINGS.find((one) => word.endsWith(one)) ?? '';
  const digits = ending === '' ? word : word.slice(0, -ending.length);
  return /\d/.test(digits) && (isHead ? /^-?[\d,.]+$/ : /^[\d,.]+$/).test(digits);
}

/** The phonemes of a number; null: it has no digits. */
export function numberSound(lexicon: Lexicon, word: string, isHead: boolean): string | null {
  const ending = /(?<![a-z'])[a-z']+$/.exec(word)?.[0] ?? '';
  const written = ending === '' ? word : word.slice(0, -ending.length);
  const isNegative = written.startsWith('-');
  const digits = isNegative ? written.slice(1) : written;
  const words = [...(isNegative ? ['minus'] : []), ...wordsOf(digits, ending, !isNegative, isHead)];
  const sounds = words.map((one) =>
    lexicon.lookup(one, null, one === 'point' || one === 'O' ? -2 : null, null),
  );
  const sound = sounds.filter((one) => one !== null).join(' ');
  if (sound === '') return null;
  if (ending === 's' || ending === "'s") return plural(sound);
  if (ending === 'ed' || ending === "'d") return past(sound);
  return ending === 'ing' ? participle(sound) : sound;
}

function wordsOf(written: string, ending: string, mayBeYear: boolean, isHead: boolean): string[] {
  const digits = written.replaceAll(',', '');
  if (isDigits(written) && ORDINAL_ENDINGS.has(ending)) return ordinal(Number(digits));
  if (mayBeYear && /^[1-9]\d{3}$/.test(written)) return year(Number(digits));
  if (!isHead && !written.includes('.')) return inIdentifier(digits);
  if (written.split('.').length > 2 || !isHead) return inVersion(digits);
  if (digits.startsWith('.')) return ['point', ...oneByOne(digits.slice(1))];
  if (digits.includes('.')) return decimal(digits);
  return ORDINAL_ENDINGS.has(ending) ? ordinal(Number(digits)) : cardinal(Number(digits));
}

const oneByOne = (digits: string): string[] => digits.split('').flatMap((digit) => cardinal(Number(digit)));

/** After letters: "A320" → three twenty, "B105" → one O five. */
function inIdentifier(digits: string): string[] {
  if (digits.startsWith('0') || digits.length > 3) return oneByOne(digits);
  if (digits.length < 3 || digits.endsWith('00')) return cardinal(Number(digits));
  const [first = '', second = '', third = ''] = digits;
  if (second === '0') return [...cardinal(Number(first)), 'O', ...cardinal(Number(third))];
  return [...cardinal(Number(first)), ...cardinal(Number(second + third))];
}

/** "1.10.2" → one ten two. */
const inVersion = (digits: string): string[] =>
  digits.split('.').flatMap((part) => {
    if (part === '') return [];
    const isSpelled = part.startsWith('0') || (part.length !== 2 && /[1-9]/.test(part.slice(1)));
    return isSpelled ? oneByOne(part) : cardinal(Number(part));
  });
