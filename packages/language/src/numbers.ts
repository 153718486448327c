import { words } from './text.ts';

const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const SCALES: Readonly<Record<string, number>> = {
  hundred: 100,
  thousand: 1000,
  lakh: 100_000,
  million: 1_000_000,
  crore: 10_000_000,
};
const ORDINALS =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'.split(
    ' ',
  );

function small(word: string): number | null {
  const unit = UNITS.indexOf(word);
  if (unit >= 0) return unit;
  const ten = TENS.indexOf(word);
  return ten >= 0 ? (ten + 2) * 10 : null;
}

/** The first number said ("twenty five", "2,500", "a couple"), or null. English words and digits. */
export function numberIn(text: string): number | null {
  const tokens = words(text.replace(/(\d)[,\s](?=\d{3}\b)/g, '$1').replace(/-/g, ' '));
  for (let at = 0; at < tokens.length; at++) {
    const read = numberAt(tokens, at);
    if (read) return read.value;
  }
  const joined = tokens.join(' ');
  if (/\b(?:a )?couple\b/.test(joined)) return 2;
  if (/\bhalf a dozen\b/.test(joined)) return 6;
  if (/\bdozen\b/.test(joined)) return 12;
  return null;
}

export function numberAt(tokens: readonly string[], from: number): { value: number; end: number } | null {
  const first = tokens[from] ?? '';
  const literal = /^(\d{1,15})(?:st|nd|rd|th|k|pm|am|%|rs)?$/.exec(first);
  if (literal) return { value: Number(literal[1]) * (first.endsWith('k') ? 1000 : 1), end: from + 1 };
  let total = 0;
  let current: number | null = null;
  let at = from;
  for (; at < tokens.length; at++) {
    const word = tokens[at] ?? '';
    const value = small(word);
    const scale = SCALES[word];
    if (value !== null) {
      if (
        current !== null &&
        !(current % 100 >= 20 && current % 10 === 0 && value < 10) &&
        current % 100 !== 0
      )
        break;
      current = (current ?? 0) + value;
    } else if (scale !== undefined && current !== null) {
      if (scale === 100) current *= 100;
      else {
        total += current * scale;
        current = 0;
      }
    } else if (
      !(word === 'and' && current !== null && small(tokens[at + 1] ?? '') !== null && current % 100 === 0)
    )
      break;
  }
  return current === null ? null : { value: total + current, end: at };
}

const SOUNDS_LIKE: ReadonlyMap<string, string> = new Map([
  ['to', 'two'],
  ['too', 'two'],
  ['for', 'four'],
  ['ate', 'eight'],
]);

/** Recognisers write "four to seven": between two digits the word is a digit. */
const soundingDigits = (said: readonly string[]): string[] => {
  const isDigit = (word: string | undefined): boolean =>
    word !== undefined && UNITS.slice(0, 10).includes(word);
  return said.map((word, at) =>
    isDigit(said[at - 1]) && isDigit(said[at + 1]) ? (SOUNDS_LIKE.get(word) ?? word) : word,
  );
};

/** Digits dictated one by one ("nine eight double seven", "oh four"), or written; null below two digits. */
export function digitsIn(text: string): string | null {
  let out = '';
  let repeat = 1;
  let tens = false;
  for (const word of soundingDigits(words(text))) {
    const unit = UNITS.indexOf(word);
    // "Twenty four" is two digits.
    if (tens && unit > 0 && unit < 10) {
      out = `${out.slice(0, -1)}${unit}`;
      tens = false;
      continue;
    }
    tens = TENS.includes(word) && repeat === 1;
    const single = word === 'oh' || word === 'o' ? 0 : small(word);
    if (word === 'double') repeat = 2;
    else if (word === 'triple') repeat = 3;
    else if (/^\d+$/.test(word)) {
      out += word.repeat(repeat);
      repeat = 1;
    } else if (single !== null) {
      out += String(single).repeat(repeat);
      repeat = 1;
    } else repeat = 1;
  }
  return out === '' ? null : out;
}

/** "third", "twenty first", "5th" as a day of the month; null when there is none. */
export function ordinalIn(tokens: readonly string[]): number | null {
  for (const [at, word] of tokens.entries()) {
    const literal = /^(\d{1,2})(?:st|nd|rd|th)$/.exec(word);
    const named = ORDINALS.indexOf(word);
    const ten = TENS.indexOf(tokens[at - 1] ?? '');
    const value = literal
      ? Number(literal[1])
      : named > 0
        ? named + (ten >= 0 && named < 10 ? (ten + 2) * 10 : 0)
        : word === 'thirtieth'
          ? 30
          : 0;
    if (value >= 1 && value <= 31) return value;
  }
  return null;
}
