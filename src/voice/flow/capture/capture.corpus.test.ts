import { describe, expect, it } from 'vitest';
import type { CaptureKind } from '../document.ts';
import { wordingOf } from '../wording.ts';
import { capture } from './capture.ts';

/** Friday 27 November 2026, noon. */
const NOON = Date.UTC(2026, 10, 27, 12);
const DAY_MS = 86_400_000;
const UTTERANCES = 200;
const LEAST_RIGHT = 0.98;

/** A fixed sequence of numbers from 0 to 1, so that every run says the same sentences. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
type Random = () => number;
const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
const whole = (random: Random, from: number, to: number): number =>
  from + Math.floor(random() * (to - from + 1));

// Tables of English speech, written without those of the service.
const ONES = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
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
];
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const ORDINALS = [
  '',
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
  'twenty-first',
  'twenty-second',
  'twenty-third',
  'twenty-fourth',
  'twenty-fifth',
  'twenty-sixth',
  'twenty-seventh',
  'twenty-eighth',
  'twenty-ninth',
  'thirtieth',
  'thirty-first',
];

function inWords(value: number): string {
  if (value < 20) return ONES[value]!;
  if (value < 100) return TENS[Math.floor(value / 10)]! + (value % 10 === 0 ? '' : ` ${ONES[value % 10]}`);
  if (value < 1_000)
    return `${ONES[Math.floor(value / 100)]} hundred${value % 100 === 0 ? '' : ` and ${inWords(value % 100)}`}`;
  return `${inWords(Math.floor(value / 1_000))} thousand${value % 1_000 === 0 ? '' : ` ${inWords(value % 1_000)}`}`;
}

/** Digits one by one, with "oh", "double" and "triple". */
function spokenDigits(random: Random, digits: string): string {
  const parts: string[] = [];
  for (let at = 0; at < digits.length;) {
    const digit = digits[at]!;
    const run = /^(.)\1*/.exec(digits.slice(at))![0].length;
    const word = digit === '0' && random() < 0.4 ? 'oh' : ONES[Number(digit)]!;
    if (run >= 3 && random() < 0.5) {
      parts.push(`triple ${word}`);
      at += 3;
    } else if (run >= 2 && random() < 0.6) {
      parts.push(`double ${word}`);
      at += 2;
    } else {
      parts.push(word);
      at += 1;
    }
  }
  return parts.join(random() < 0.2 ? ', ' : ' ');
}
const digitsOf = (random: Random, length: number): string =>
  Array.from({ length }, () => String(whole(random, 0, 9))).join('');
const dateText = (at: number): string => new Date(at).toISOString().slice(0, 10);

interface Said {
  readonly text: string;
  readonly value: unknown;
  readonly values?: readonly string[];
  readonly digits?: number;
}
const NAMES = ['maria', 'john', 'priya', 'sam', 'asha', 'lena', 'omar', 'nina'];
const DOMAINS = ['gmail.com', 'example.org', 'yahoo.com', 'outlook.com', 'example.co.uk'];

const SAID: Readonly<Partial<Record<CaptureKind, (random: Random) => Said>>> = {
  yes_no: (random) => {
    const isYes = random() < 0.5;
    const words = isYes
      ? [
          'yes',
          'yes please',
          'yeah',
          'yep',
          'sure',
          'of course',
          'that is right',
          'correct',
          'okay',
          'yes that is fine',
          'absolutely',
          'right',
        ]
      : [
          'no',
          'no thank you',
          'nope',
          'no thanks',
          'not really',
          'I do not think so',
          "no that's wrong",
          'no, not today',
        ];
    const lead = pick(random, ['', '', 'um ', 'well, ', 'uh, ', 'oh ']);
    return { text: `${lead}${pick(random, words)}${pick(random, ['', '.', '!'])}`, value: isYes };
  },
  choice: (random) => {
    const values = ['check-up', 'cleaning', 'pain', 'invoice'];
    const value = pick(random, values);
    const frame = pick(random, [
      '%',
      'the %',
      'a %, please',
      "it's for a %",
      'I think %',
      'um, %',
      'it is about the %',
      '% please',
      "I'd like the %",
    ]);
    return { text: frame.replace('%', value), value, values };
  },
  digits: (random) => {
    const length = whole(random, 4, 10);
    const value = digitsOf(random, length);
    const lead = pick(random, ['', '', "it's ", 'my number is ', 'that is ', 'sure, ']);
    return { text: lead + spokenDigits(random, value), value, digits: length };
  },
  number: (random) => {
    const value = whole(random, 0, random() < 0.5 ? 40 : 9_999);
    const shown = random() < 0.4 ? String(value) : inWords(value);
    const frame = pick(random, [
      '%',
      '% people',
      'we are %',
      'about %',
      'I think %',
      '% please',
      'there are % of us',
      "it's %",
    ]);
    return { text: frame.replace('%', shown), value };
  },
  date: (random) => {
    const way = whole(random, 0, 3);
    if (way === 0) {
      const ahead = whole(random, 1, 7);
      const at = NOON + ahead * DAY_MS;
      const name = DAYS[new Date(at).getUTCDay()]!;
      return {
        text: pick(random, [
          '%',
          'on %',
          '% please',
          '% would be good',
          'how about %',
          'this coming %',
        ]).replace('%', name),
        value: dateText(at),
      };
    }
    if (way === 1) {
      const [text, ahead] = pick(random, [
        ['today', 0],
        ['tomorrow', 1],
        ['the day after tomorrow', 2],
        ['tomorrow please', 1],
        ['can I come today', 0],
      ] as const);
      return { text, value: dateText(NOON + ahead * DAY_MS) };
    }
    const month = whole(random, 0, 11);
    const day = whole(random, 1, MONTH_LENGTHS[month]!);
    const inYear = (year: number): number => Date.UTC(year, month, day, 12);
    const at = inYear(2026) >= NOON ? inYear(2026) : inYear(2027);
    const ordinal = way === 2 ? ORDINALS[day]! : String(day);
    const frame = pick(random, ['the % of #', '# %', 'on # %', 'the % of # please', 'maybe # %']);
    return { text: frame.replace('%', ordinal).replace('#', MONTHS[month]!), value: dateText(at) };
  },
  time: (random) => {
    const hour = whole(random, 1, 12);
    const isPm = random() < 0.5;
    const minute = pick(random, [0, 0, 15, 30, 45, 10, 20]);
    const half = pick(random, isPm ? ['pm', 'p.m.'] : ['am', 'a.m.']);
    const value = `${String((hour % 12) + (isPm ? 12 : 0)).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
    const shown =
      random() < 0.5
        ? `${hour}${minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`}`
        : `${ONES[hour]}${minute === 0 ? '' : ` ${inWords(minute)}`}`;
    const frame = pick(random, ['% #', 'at % #', '% # please', 'around % #', '% # would be good']);
    return { text: frame.replace('%', shown).replace('#', half), value };
  },
  phone: (random) => {
    const number = `${pick(random, ['415', '212', '312', '617', '206'])}555${digitsOf(random, 4)}`;
    const groups = [number.slice(0, 3), number.slice(3, 6), number.slice(6)];
    const text =
      random() < 0.4
        ? groups.join(pick(random, ['-', ' ', '']))
        : groups.map((group) => spokenDigits(random, group)).join(pick(random, [' ', ', ']));
    return { text: pick(random, ['', "it's ", 'my number is ', 'sure, ']) + text, value: `+1${number}` };
  },
  email: (random) => {
    const [first, last, domain] = [pick(random, NAMES), pick(random, NAMES), pick(random, DOMAINS)];
    const [name, spoken] = pick(random, [
      [`${first}.${last}`, `${first} dot ${last}`],
      [`${first}_${last}`, `${first} underscore ${last}`],
      [`${first}-${last}`, `${first} dash ${last}`],
      [first, first],
      [`${first}42`, `${first} four two`],
    ]);
    const text = random() < 0.3 ? `${name}@${domain}` : `${spoken} at ${domain.replaceAll('.', ' dot ')}`;
    return { text: pick(random, ['', "it's ", 'my email is ', 'sure, ']) + text, value: `${name}@${domain}` };
  },
  spelled: (random) => {
    const name = pick(random, [
      'SMITH',
      'LOPEZ',
      'KUMAR',
      'WOOD',
      'BAKER',
      'GREEN',
      'MILLER',
      'SINGH',
      'JONES',
      'ADAMS',
      'LEE',
      'HALL',
    ]);
    const text = name.split('').join(pick(random, [' ', ', ', '-', '. ']));
    return { text: pick(random, ['', "it's ", 'that is ']) + text, value: name };
  },
  money: (random) => {
    const value = whole(random, 1, 2_000);
    const shown = random() < 0.5 ? `$${value}` : `${inWords(value)} dollars`;
    return {
      text: pick(random, ['%', 'about %', "it's %", '% please', 'I can pay %']).replace('%', shown),
      value,
    };
  },
  postcode: (random) => {
    const value = `${whole(random, 1, 9)}${digitsOf(random, 4)}`;
    const text = random() < 0.4 ? value : spokenDigits(random, value);
    return { text: pick(random, ['', "it's ", 'my zip code is ']) + text, value };
  },
};

/** The share of sentences whose value is right, and some whose is not. */
function heard(kind: CaptureKind, say: (random: Random) => Said): { right: number; wrong: string[] } {
  const random = sequence(7);
  const wrong: string[] = [];
  for (let count = 0; count < UTTERANCES; count += 1) {
    const { text, value, values = [], digits = null } = say(random);
    const found = capture(
      { kind, values: [...values], digits, isSensitive: false },
      { text, by: 'speech' },
      wordingOf('en-US'),
      { now: NOON, zone: 'UTC' },
    );
    const got = found.type === 'value' ? found.value : found.type;
    if (got !== value) wrong.push(`${text} → ${String(got)}, not ${String(value)}`);
  }
  return { right: 1 - wrong.length / UTTERANCES, wrong };
}

describe('two hundred sentences in English', () => {
  it.each(Object.entries(SAID) as [CaptureKind, (random: Random) => Said][])(
    'have the right value: %s',
    (kind, say) => {
      const { right, wrong } = heard(kind, say);
      expect(right >= LEAST_RIGHT ? [] : wrong).toEqual([]);
    },
  );
});
