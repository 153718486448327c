import type { Expected } from '@callwright/turns';
import { trimEndOf } from '../../shared/trim.ts';

type Kind = Expected['kinds'][number];

/** Phrases in every grammar, independent of the question. */
export const CONTROL_PHRASES: readonly string[] = [
  'hello',
  'thank you',
  'thanks',
  'goodbye',
  'bye bye',
  'repeat please',
  'say that again',
  'who is this',
  'why are you calling',
  'are you a robot',
  'not interested',
  'call me later',
  'call me back later',
  'i am busy',
  'speak to a human',
  'stop calling me',
  'do not call me again',
  'hold on',
  'just a moment',
  'what',
  'sorry',
  'i do not know',
  'wrong number',
];

const YES_NO: readonly string[] = [
  'yes',
  'yeah',
  'yes please',
  'yes it is',
  'yes i am',
  'yes that is right',
  'sure',
  'okay',
  'correct',
  'that is correct',
  'that is right',
  'of course',
  'absolutely',
  'speaking',
  'no',
  'no thanks',
  'no thank you',
  'no it is not',
  'not really',
  'not now',
  'that is wrong',
  'i am not sure',
  'maybe',
];

const UNITS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'] as const;
const TEENS = [
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
] as const;
const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'] as const;
const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
] as const;
const ORDINALS = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
  'eleventh',
  'twelfth',
  'thirteenth',
  'fourteenth',
  'fifteenth',
  'sixteenth',
  'seventeenth',
  'eighteenth',
  'nineteenth',
  'twentieth',
  'thirtieth',
] as const;

const anyOf = (words: readonly string[]): string => `(${words.join(' | ')})`;

/** Most digits in one utterance. Bounded, because with a loop the recogniser inserts digits. */
const MOST_DIGITS = 12;

function digitString(): string {
  let rest = '';
  for (let i = 1; i < MOST_DIGITS; i++) rest = `[<digit> ${rest}]`;
  return `<digit> ${rest}`;
}

/** JSGF rules used by the answer kinds. */
export const RULES: Readonly<Record<string, string>> = {
  unit: anyOf(UNITS),
  digit: `(/1/ zero | /0.1/ oh | /10/ <unit> | /0.1/ double <unit>)`,
  number: `(zero | <unit> | ${anyOf(TEENS)} | ${anyOf(TENS)} [<unit>] | [a | one] hundred)`,
  weekday: anyOf(WEEKDAYS),
  month: anyOf(MONTHS),
  ordinal: `(${ORDINALS.join(' | ')} | twenty (${ORDINALS.slice(0, 9).join(' | ')}) | thirty first)`,
  hour: anyOf([...UNITS, 'ten', 'eleven', 'twelve']),
  part: '(morning | afternoon | evening)',
  moment: `(at <hour> [thirty | a m | p m] | in the <part>)`,
  time:
    `([at] <hour> [thirty | fifteen | forty five] [a m | p m | in the <part>] | [at] <hour> o'clock | ` +
    `(half past | quarter past | quarter to) <hour> | [at] noon | at night | [in the] <part> | any time)`,
  date:
    `([on] <weekday> [<part> | <moment>] | (next | this) <weekday> | today | tonight | ` +
    `tomorrow [<part> | <moment>] | day after tomorrow | this weekend | next week | next month | ` +
    `<month> [the] <ordinal> | [the] <ordinal> [of <month>])`,
  digits: digitString(),
};

/** The alternatives of each answer kind: phrases, or rules in angle brackets. */
const OF_KIND: Readonly<Record<Kind, readonly string[]>> = {
  yes_no: YES_NO,
  number: ['<number>'],
  digits: ['<digits>'],
  date: ['<date>'],
  time: ['<time>'],
  choice: ['the first one', 'the second one', 'the last one'],
  name: [],
  free: YES_NO,
};

/** Used when the brain expects no particular answer. */
const UNKNOWN: Expected = { kinds: ['yes_no', 'date'], phrases: [] };

/** The alternatives of a closed grammar for the expected answers: phrases and rule references. */
export function expectedAlternatives(expected: Expected | null): { rules: string[]; phrases: string[] } {
  const { kinds, phrases } = expected ?? UNKNOWN;
  const rules = new Set<string>();
  const plain = new Set<string>();
  for (const kind of kinds) {
    for (const alternative of OF_KIND[kind]) {
      if (alternative.startsWith('<')) rules.add(alternative);
      else plain.add(alternative);
    }
  }
  for (const phrase of [...phrases, ...CONTROL_PHRASES]) plain.add(phrase);
  return { rules: [...rules], phrases: [...plain] };
}

/** A closed grammar: its JSGF text and every word in it. */
export interface Grammar {
  readonly jsgf: string;
  readonly words: readonly string[];
}

const MOST_PHRASES = 300;
const MOST_WORDS_OF_PHRASE = 12;
const WORD = /^[a-z](?:[a-z']{0,30}[a-z])?$/;
const SMALL_NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/**
 * Splits a phrase into grammar words: lower case, apostrophes kept inside words, small numbers spelled out. Null for a
 * phrase with non-English letters or too many words.
 */
export function phraseWords(phrase: string): string[] | null {
  const words = phrase
    .slice(0, 200)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/\b\d{1,2}\b/g, (digits) => SMALL_NUMBERS[Number(digits)] ?? digits)
    .replace(/&/g, ' and ')
    .split(/[^\p{L}\p{N}']+/u)
    .map((word) => trimEndOf(word.replace(/^'+/, ''), "'"))
    .filter((word) => word !== '');
  if (words.length === 0 || words.length > MOST_WORDS_OF_PHRASE) return null;
  return words.every((word) => WORD.test(word)) ? words : null;
}

/** A grammar of one phrase per utterance for the expected answers and the agent's vocabulary. */
export function expectedGrammar(expected: Expected | null, vocab: readonly string[]): Grammar {
  const { rules, phrases } = expectedAlternatives(expected);
  const alternatives = new Set<string>(rules);
  const words = new Set<string>();
  for (const phrase of [...phrases, ...vocab]) {
    if (alternatives.size >= MOST_PHRASES) break;
    const parts = phraseWords(phrase);
    if (parts === null) continue;
    alternatives.add(parts.join(' '));
    for (const word of parts) words.add(word);
  }
  const needed = new Set<string>();
  for (const rule of rules) addRules(rule, needed);
  const definitions: string[] = [];
  for (const name of needed) {
    const body = RULES[name] ?? '';
    definitions.push(`<${name}> = ${body};`);
    for (const word of body.replace(/<\w+>/g, ' ').match(/[a-z][a-z']*/g) ?? []) words.add(word);
  }
  const jsgf = `#JSGF V1.0;\ngrammar said;\npublic <said> = ${[...alternatives].join(' | ')};\n${definitions.join('\n')}\n`;
  return { jsgf, words: [...words].sort() };
}

function addRules(text: string, into: Set<string>): void {
  for (const [, name] of text.matchAll(/<(\w+)>/g)) {
    if (name === undefined || into.has(name)) continue;
    into.add(name);
    addRules(RULES[name] ?? '', into);
  }
}
