import { inNativeScript } from './romanised.ts';
import { asciiDigits, hasPhrase, normal, normalPhrase, words } from './text.ts';
import { weekdays } from './time/calendar.ts';
import { dayAndTime, readTime, timeIn } from './time/spoken-time.ts';
import { digitsIn, numberIn, ordinalIn } from './numbers.ts';
import { ENGLISH } from './phrases.ts';
import type { AnswerKind } from './question-kind.ts';
import type { PhraseTable } from './phrases/phrase-table.ts';

export interface CallerLine {
  text: string;
  by: 'speech' | 'keypad' | 'text';
}
export type Understood =
  | { type: 'yes' }
  | { type: 'no' }
  /** The caller has no answer ("I am not sure"). */
  | { type: 'unknown' }
  | { type: 'value'; value: string };

/** Yes or no in the agent's language or English; null when neither, or unclear. */
export function polarity(text: string, table: PhraseTable): 'yes' | 'no' | null {
  const line = normal(text)
    .replace(
      /\b(?:no (?:problem|worries|issues?)|not a problem|why not|dont mind|do not mind|not at all)\b/g,
      'yes',
    )
    .replace(
      /\b(?:(?:i am |im |i )?(?:not sure|dont know|do not know|not certain)|(?:i have )?no idea)\b/g,
      ' ',
    );
  const has = (list: readonly string[]): boolean =>
    list.some((phrase) => hasPhrase(line, normalPhrase(phrase)));
  if (table.locale !== 'en') {
    // "没问题" holds a no but means yes: the longer phrase decides.
    const overriding = table.yes.some(
      (yes) => hasPhrase(line, normalPhrase(yes)) && table.no.some((no) => yes.includes(no)),
    );
    if (has(table.no) && !overriding) return 'no';
    if (has(table.yes)) return 'yes';
  }
  if (has(ENGLISH.no)) return 'no';
  return has(ENGLISH.yes) ? 'yes' : null;
}

/** Reads a caller's line as an answer of the wanted kind; null when it is none. */
export function understand(
  line: CallerLine,
  expected: { answer: AnswerKind; choices: readonly string[] },
  table: PhraseTable,
): Understood | null {
  if (line.by === 'keypad') return keypadAnswer(line.text, expected, table);
  const text = line.text.trim();
  if (text === '') return null;
  const value = valueOf(withoutRejected(text, expected, table), expected, table);
  if (value !== null) return { type: 'value', value };
  if (isUnsure(text, expected, table)) return { type: 'unknown' };
  const answer = polarity(text, table);
  return answer === null ? null : { type: answer };
}

/** Kinds whose values a caller may reject: "not Monday, Wednesday". */
const REJECTABLE = new Set<AnswerKind>(['date', 'time', 'number', 'choice']);
/** Longer lines are read whole. */
const LONGEST_CORRECTION = 300;
const REJECTED =
  /\b(?:not|anything but|anything except|any day but|except|instead of|rather than)\s+(?:(?:on|at|in|the|before|after|until)\s+)*[\w'-]+/giu;

const LEADING_NO = /^(?:no|nope|nah)\b(?:[\s,.]*\b(?:no|sorry|actually|wait)\b)*[\s,.]*/iu;

/** The line without the values that the caller rejects, if that leaves a value or nothing else is said. */
function withoutRejected(
  text: string,
  expected: { answer: AnswerKind; choices: readonly string[] },
  table: PhraseTable,
): string {
  if (!REJECTABLE.has(expected.answer) || text.length > LONGEST_CORRECTION) return text;
  const isRejecting = text.search(REJECTED) >= 0 || polarity(text, table) === 'no';
  if (!isRejecting) return text;
  const isValue = (part: string): boolean => part.trim() !== '' && valueOf(part, expected, table) !== null;
  // "No Friday would be better", as recognisers write it.
  const rest = text.replace(LEADING_NO, '');
  if (rest !== text && isValue(rest) && polarity(rest, table) !== 'no') return rest;
  const parts = text.split(/[,;.。，]|\bbut\b/u);
  const kept = parts.filter((part) => polarity(part, table) !== 'no');
  if (kept.length < parts.length && isValue(kept.join(','))) return kept.join(',');
  const cut = text.replaceAll(REJECTED, ' ');
  if (cut !== text && isValue(cut) && polarity(cut, table) !== 'no') return cut;
  // "Tuesday does not work": the value named is the one that does not suit.
  const isRefused =
    !/\b(?:before|after|until|till|earlier|later)\b/i.test(text) && expected.answer !== 'number';
  return isRefused ? '' : text;
}

/** Neither of two choices is preferred. */
const EITHER = /\b(?:either|both|any of them|whichever|(?:dont|do not) (?:mind|care))\b/;

function isUnsure(text: string, { answer }: { answer: AnswerKind }, table: PhraseTable): boolean {
  const line = normal(text);
  const has = ({ unsure }: PhraseTable): boolean =>
    unsure.some((phrase) => hasPhrase(line, normalPhrase(phrase)));
  return has(ENGLISH) || has(table) || (answer === 'choice' && EITHER.test(line));
}

function valueOf(
  text: string,
  expected: { answer: AnswerKind; choices: readonly string[] },
  table: PhraseTable,
): string | null {
  switch (expected.answer) {
    case 'yes_no':
      break;
    case 'choice':
      return choiceIn(text, expected.choices);
    case 'number': {
      const code = codeIn(text);
      if (code !== null) return code;
      const number = numberIn(asciiDigits(text)) ?? peopleIn(text) ?? nativeNumber(text, table);
      return number === null ? null : String(number);
    }
    case 'digits':
      return codeIn(text) ?? digitsIn(text);
    case 'date': {
      const { day, clock } = readTime(text, table, { isAnswer: true });
      // Read-backs include the hour in English only.
      return day === null ? null : dayAndTime(day.text, table.locale === 'en' ? (clock?.text ?? null) : null);
    }
    case 'time':
      return timeIn(text, table);
    case 'name':
      return nameIn(text, table);
    case 'free':
    case 'rest':
      return polarity(text, table) !== null && isShort(text) ? null : text.slice(0, 300);
  }
  return null;
}

/** At most two words, or five signs of a script without blanks. */
const isShort = (text: string): boolean =>
  words(text).length <= 2 && !/[\p{Script=Han}\p{Script=Myanmar}]{6}/u.test(normal(text));

const DIGITS = 'zero one two three four five six seven eight nine'.split(' ');

/** A code of letters and digits, said one by one: "B A four five" is BA45. Null without a letter. */
function codeIn(text: string): string | null {
  const signs = words(text)
    .filter((word) => !/^(?:its|it|is|the|um|uh|and|dash|then|capital)$/.test(word))
    .map((word) => (DIGITS.includes(word) ? String(DIGITS.indexOf(word)) : word));
  const isCode = signs.length >= 3 && signs.every((sign) => /^(?:[a-z]|\d{1,4})$/.test(sign));
  return isCode && signs.some((sign) => /[a-z]/.test(sign)) ? signs.join('').toUpperCase() : null;
}

/** A number of people that is not said as one: "just me", "my wife and I", "nobody". */
function peopleIn(text: string): number | null {
  const line = normal(text);
  if (/\b(?:my \w+ and (?:i|me|myself)|me and my \w+)\b/.test(line)) return 2;
  if (/\b(?:just|only) (?:me|myself|for me|one of us)\b/.test(line)) return 1;
  return /^(?:there (?:is|are) )?(?:none|nobody|no one|nil|not a single one)\b/.test(line) ? 0 : null;
}

function nativeNumber(text: string, table: PhraseTable): number | null {
  const line = normal(inNativeScript(text, table));
  return table.numbers.find(([word]) => hasPhrase(line, normalPhrase(word)))?.[1] ?? null;
}

function choiceIn(text: string, choices: readonly string[]): string | null {
  const line = normal(text);
  const exact = choices.filter((choice) => hasPhrase(line, normal(choice)));
  if (exact.length === 1) return exact[0] ?? null;
  const spokenWords = new Set(words(text));
  const scored = choices.map(
    (choice) => words(choice).filter((word) => spokenWords.has(word) && word.length > 2).length,
  );
  const best = Math.max(...scored);
  if (best > 0 && scored.filter((score) => score === best).length === 1)
    return choices[scored.indexOf(best)] ?? null;
  if (/\blast\b|\blatter\b/.test(line)) return choices.at(-1) ?? null;
  const position = /\bformer\b/.test(line)
    ? 1
    : (ordinalIn(words(text)) ??
      (/\b(?:option|number)\b/.test(line) || words(text).length === 1 ? numberIn(line) : null));
  return position === null ? null : (choices[position - 1] ?? null);
}

const LONGEST_NAME = 160;
const NAME_LEAD =
  /^(?:(?:yes|hi|hello|sure|ok|okay|um|uh|well|so|please)[\s,]+)*(?:(?:(?:my|the|full|first|last)\s+(?:full\s+|first\s+|last\s+)?)?name(?:['’]s| is)|this is|i am|i['’]m|it['’]s|it is|call me|you can call me|its|im|under(?:\s+the\s+name(?:\s+of)?)?|in\s+the\s+name\s+of|that(?:['’]s| is|s))\s+/i;
/** What callers add to a name: "with an h", "as in Miller". */
const ADDED = [' with a ', ' with an ', ' with one ', ' with two ', ' with double ', ' as in ', ' spelled '];
const AFTER_NAME = new Set(['speaking', 'here', 'please']);
const BEFORE_LETTERS = new Set(['that', 'thats', "that's", 'is', 'its', "it's", 'spelled']);

function nameIn(text: string, table: PhraseTable): string | null {
  if (text.length > LONGEST_NAME) return null;
  const all = text.split(/[\s,.!?:]+/).filter((word) => word !== '');
  const { said, letters } = apart(all);
  const name = withoutAdded(said.join(' ').replace(NAME_LEAD, '')).trim();
  if (name === '' && letters !== '') return capitalised(letters);
  const count = words(name).length;
  if (count === 0 || count > 5 || /\d/.test(name)) return null;
  return polarity(name, table) !== null || isUnsure(name, { answer: 'name' }, table)
    ? null
    : capitalised(name);
}

/** A name and the letters that spell it at the end of the line: "Smith, that is S M I T H". */
function apart(all: readonly string[]): { said: readonly string[]; letters: string } {
  const isLetter = (word: string): boolean => /^[a-z]$/i.test(word);
  let from = all.length;
  while (from > 0 && isLetter(all[from - 1] ?? '')) from -= 1;
  if (all.length - from < 3) return { said: all, letters: '' };
  const letters = all.slice(from).join('').toLowerCase();
  while (from > 0 && BEFORE_LETTERS.has((all[from - 1] ?? '').toLowerCase())) from -= 1;
  return { said: all.slice(0, from), letters };
}

function withoutAdded(name: string): string {
  const lower = name.toLowerCase();
  const at = ADDED.map((added) => lower.indexOf(added)).filter((found) => found > 0);
  const kept = name.slice(0, at.length === 0 ? name.length : Math.min(...at)).split(' ');
  while (kept.length > 1 && AFTER_NAME.has((kept.at(-1) ?? '').toLowerCase())) kept.pop();
  return kept.join(' ');
}

const capitalised = (name: string): string =>
  name.replace(/(^|[\s-])([a-z])/g, (_, gap: string, first: string) => gap + first.toUpperCase());

function keypadAnswer(
  keys: string,
  expected: { answer: AnswerKind; choices: readonly string[] },
  table: PhraseTable,
): Understood | null {
  const digits = keys.replace(/[^0-9]/g, '');
  if (digits === '') return null;
  const number = Number(digits);
  switch (expected.answer) {
    case 'yes_no':
    case 'free':
    case 'rest':
    case 'name':
      return number === 1 ? { type: 'yes' } : number === 2 ? { type: 'no' } : null;
    case 'choice': {
      const choice = expected.choices[number - 1];
      return choice === undefined ? null : { type: 'value', value: choice };
    }
    case 'number':
    case 'digits':
      return { type: 'value', value: expected.answer === 'number' ? String(number) : digits };
    case 'date': {
      const day = weekdays(table.locale)[number - 1];
      return day === undefined ? null : { type: 'value', value: day };
    }
    case 'time':
      break;
  }
  return keypadTime(digits, table);
}

function keypadTime(digits: string, table: PhraseTable): Understood | null {
  const hour = Number(digits.length > 2 ? digits.slice(0, -2) : digits);
  const minute = digits.length > 2 ? Number(digits.slice(-2)) : 0;
  if (hour > 24 || minute > 59) return null;
  const clock = minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`;
  if (table.locale !== 'en') return { type: 'value', value: `${hour}${clock === '' ? ':00' : clock}` };
  return {
    type: 'value',
    value: `${hour % 12 === 0 ? 12 : hour % 12}${clock} ${hour >= 12 && hour < 24 ? 'pm' : 'am'}`,
  };
}
