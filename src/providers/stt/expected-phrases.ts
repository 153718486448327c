import type { Expected } from '../../voice/ports.ts';

type Kind = Expected['kinds'][number];

/** Said at any time in a call, whatever is asked. */
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

/** Most digits heard in one utterance. Bounded: a loop would let the recogniser invent digits. */
const MOST_DIGITS = 12;

function digitString(): string {
  let rest = '';
  for (let i = 1; i < MOST_DIGITS; i++) rest = `[<digit> ${rest}]`;
  return `<digit> ${rest}`;
}

/** JSGF rules the kinds below refer to. */
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

/** What each kind lets the caller say: phrases, or rules in angle brackets. */
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

/** With nothing known of the answer: short answers and days. */
const UNKNOWN: Expected = { kinds: ['yes_no', 'date'], phrases: [] };

/** The alternatives of a closed grammar for what is expected: phrases as given and rule references. */
export function expectedAlternatives(expected: Expected | null): { rules: string[]; phrases: string[] } {
  const { kinds, phrases } = expected ?? UNKNOWN;
  const rules = new Set<string>();
  const said = new Set<string>();
  for (const kind of kinds) {
    for (const alternative of OF_KIND[kind]) {
      if (alternative.startsWith('<')) rules.add(alternative);
      else said.add(alternative);
    }
  }
  for (const phrase of [...phrases, ...CONTROL_PHRASES]) said.add(phrase);
  return { rules: [...rules], phrases: [...said] };
}
