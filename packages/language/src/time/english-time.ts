import { numberAt, numberIn, ordinalIn } from '../numbers.ts';
import { asciiDigits } from '../text.ts';
import { months, weekdays } from './calendar.ts';
import type { Clock, Day, Span, SpokenTime } from './spoken-time.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Reads an English line. Each match is removed from the line, so that no number counts twice. */
export function readEnglishTime(text: string, isAnswer: boolean): SpokenTime {
  const rest = new Remainder(prepared(text));
  const iso = isoDate(rest);
  if (iso !== null) return iso;
  const fromNow = readFromNow(rest);
  const day = fromNow === null ? readDay(rest, isAnswer) : null;
  const clock = fromNow === null ? readClock(rest, day, isAnswer) : null;
  return { day, clock, fromNow, offsetMs: null };
}

/** The part of a line that no pattern has matched yet. */
class Remainder {
  text: string;
  constructor(text: string) {
    this.text = text;
  }
  take(pattern: RegExp): RegExpExecArray | null {
    const match = pattern.exec(this.text);
    if (match !== null)
      this.text = `${this.text.slice(0, match.index)} ${this.text.slice(match.index + match[0].length)}`;
    return match;
  }
}

/** Lower case, ASCII digits, "3 pm" for "3p.m."; removes greetings and every mark that is not between digits. */
const prepared = (text: string): string =>
  asciiDigits(text.slice(0, 2000))
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[’'`]/g, '')
    .replaceAll(/(\d) ?([ap])\.? ?m\b\.?/g, '$1 $2m')
    .replaceAll(/\b([ap])(?:\. ?| )m\b\.?/g, '$1m')
    .replaceAll(/(?<!\d)[:./+-]|[:./+-](?!\d)/g, ' ')
    .replaceAll(/[^\p{L}\p{M}\p{N}\s:./+-]/gu, ' ')
    .replaceAll(/\bgood (?:morning|afternoon|evening|night)\b/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

const ISO =
  /\b(\d{4})-(\d{2})-(\d{2})(?:(?:[t ]| at )(\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?)?\s*(z|[+-]\d{2}:?\d{2})?(?!\d)/;

function isoDate(rest: Remainder): SpokenTime | null {
  const match = ISO.exec(rest.text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, offset] = match;
  const date = `${year ?? ''}-${month ?? ''}-${day ?? ''}`;
  const value: Day = { kind: 'date', year: Number(year), month: Number(month), day: Number(day) };
  const time = hour === undefined ? null : `${hour}:${minute ?? ''}`;
  const clock: Clock = { hour: Number(hour), minute: Number(minute), half: null, part: null };
  return {
    day: { text: date, english: date, value },
    clock: time === null ? null : { text: time, english: `${time}${offset ?? ''}`, value: exact(clock) },
    fromNow: null,
    offsetMs: offset === undefined ? null : offsetOf(offset),
  };
}

/** ISO hours are 24-hour: marks the morning ones, so that 03:00 is not read as afternoon. */
const exact = (clock: Clock): Clock => ({
  ...clock,
  half: (clock.hour ?? 0) < 12 ? 'am' : null,
  hour: clock.hour === 0 ? 12 : clock.hour,
});

function offsetOf(offset: string): number {
  if (offset === 'z') return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return (offset.startsWith('-') ? -minutes : minutes) * MINUTE_MS;
}

const SMALL =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen';
const NUMBER = `(?:twenty|thirty|forty|fifty)(?: (?:one|two|three|four|five|six|seven|eight|nine))?|${SMALL}`;
const AMOUNT = `(half an|(?:a )?couple of|a few|an?|\\d{1,3}|${NUMBER})`;
const LEAD = '(?:in|after) (?:about |around )?';
const FROM_NOW = [
  new RegExp(`\\b${LEAD}${AMOUNT} (min|hour)(?:ute)?s?\\b`),
  new RegExp(`\\b${AMOUNT} (min|hour)(?:ute)?s? (?:later|from now)\\b`),
];

function readFromNow(rest: Remainder): SpokenTime['fromNow'] {
  for (const pattern of FROM_NOW) {
    const match = rest.take(pattern);
    if (match === null) continue;
    const ms = amountOf(match[1] ?? '') * (match[2] === 'hour' ? HOUR_MS : MINUTE_MS);
    return { text: match[0], english: match[0], ms };
  }
  return null;
}

function amountOf(amount: string): number {
  if (amount === 'half an') return 0.5;
  if (amount === 'a few') return 3;
  if (amount.endsWith('couple of')) return 2;
  return amount === 'a' || amount === 'an' ? 1 : (numberIn(amount) ?? 1);
}

const IN_DAYS = [
  new RegExp(`\\b${LEAD}${AMOUNT} (day|week|month)s?\\b`),
  new RegExp(`\\b${AMOUNT} (day|week|month)s? (?:later|from (?:now|today))\\b`),
];
const MONTH = months('en').map((month) => month.toLowerCase());
const MONTHS = MONTH.map((name) => (name === 'may' ? name : `${name}|${name.slice(0, 3)}`)).join('|');
const ORDINAL =
  '\\d{1,2}(?:st|nd|rd|th)|(?:(?:twenty|thirty) )?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|(?:ten|eleven|twelf|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twentie|thirtie)th';
const OF_MONTH = `(${ORDINAL}|\\d{1,2}|${NUMBER})`;
const MONTH_DAY = new RegExp(`\\b(${MONTHS}|sept) (?:the )?${OF_MONTH}\\b(?![:.]\\d| ?[ap]m\\b)`);
const DAY_MONTH = new RegExp(`(?<![:.\\d])\\b(?:the )?${OF_MONTH} (?:of )?(${MONTHS}|sept)\\b`);
const MONTH_ALONE = new RegExp(`\\b(?:(?!may\\b)(${MONTHS}|sept)|(?<=in )(may))\\b`);
const WEEKDAYS = weekdays('en').map((day) => day.toLowerCase());
const WEEKDAY = new RegExp(
  `\\b(?:${WEEKDAYS.map((day) => `${day}s?|${day.slice(0, 4)}|${day.slice(0, 3)}`).join('|')})\\b`,
);
const SPANS: readonly (readonly [RegExp, Span])[] = [
  [/\bnext weekend\b/, 'next weekend'],
  [/\b(?:this |the )?weekend\b/, 'weekend'],
  [/\bend of (?:the|this) week\b/, 'end of the week'],
  [/\bend of (?:the|this) month\b/, 'end of the month'],
  [/\bnext week\b/, 'next week'],
  [/\bnext month\b/, 'next month'],
  [/\bthis week\b/, 'this week'],
  [/\bthis month\b/, 'this month'],
];
/** An ordinal before one of the excluded nouns ("the first time") is no day of the month. */
const ORDINAL_DAY = new RegExp(`\\b(the |on )?(${ORDINAL})\\b(?! (?:option|one|time|thing|week|person))`);

const named = (text: string, value: Day): SpokenTime['day'] => ({ text, english: text, value });

function readDay(rest: Remainder, isAnswer: boolean): SpokenTime['day'] {
  const counted = rest.take(IN_DAYS[0] as RegExp) ?? rest.take(IN_DAYS[1] as RegExp);
  if (counted !== null) {
    const amount = amountOf(counted[1] ?? '');
    const days = Math.round(amount * (counted[2] === 'week' ? 7 : 1));
    return named(
      counted[0],
      counted[2] === 'month' ? { kind: 'in_months', months: Math.round(amount) } : { kind: 'in_days', days },
    );
  }
  return (
    readDate(rest) ?? readWeekday(rest) ?? readNear(rest) ?? readDayOfMonth(rest, isAnswer) ?? readAny(rest)
  );
}

function readDate(rest: Remainder): SpokenTime['day'] {
  for (const [pattern, monthFirst] of [
    [MONTH_DAY, true],
    [DAY_MONTH, false],
  ] as const) {
    const match = pattern.exec(rest.text);
    const [name = '', number = ''] = monthFirst ? [match?.[1], match?.[2]] : [match?.[2], match?.[1]];
    const day = ordinalIn(number.split(' ')) ?? numberIn(number);
    // "May" needs digits or an ordinal: "I may one day" is no date.
    if (match === null || day === null || day > 31 || (name === 'may' && !/\d|(?:st|nd|rd|th)$/.test(number)))
      continue;
    rest.take(pattern);
    return named(`${monthName(name)} ${day}`, { kind: 'date', month: monthOf(name), day });
  }
  const alone = rest.take(MONTH_ALONE);
  const name = alone?.[1] ?? alone?.[2];
  if (name !== undefined) return named(monthName(name), { kind: 'month', month: monthOf(name) });
  return null;
}

const monthOf = (name: string): number => MONTH.findIndex((month) => month.startsWith(name.slice(0, 3))) + 1;
const monthName = (name: string): string => capital(MONTH[monthOf(name) - 1] ?? '');
const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

function readWeekday(rest: Remainder): SpokenTime['day'] {
  const match = rest.take(WEEKDAY);
  if (match === null) return null;
  const at = WEEKDAYS.findIndex((day) => day.startsWith(match[0].slice(0, 3)));
  const next = rest.take(/\bnext(?: week)?\b/) === null ? '' : 'next ';
  return named(`${next}${capital(WEEKDAYS[at] ?? '')}`, { kind: 'weekday', weekday: at + 1 });
}

function readNear(rest: Remainder): SpokenTime['day'] {
  if (rest.take(/\b(?:the )?day after tomorrow\b/))
    return named('day after tomorrow', { kind: 'in_days', days: 2 });
  if (rest.take(/\btomorrow\b/)) return named('tomorrow', { kind: 'in_days', days: 1 });
  const today = rest.take(/\b(?:today|tonight)\b/)?.[0];
  if (today !== undefined) return named(today, { kind: 'in_days', days: 0 });
  for (const [pattern, span] of SPANS) {
    const match = rest.take(pattern);
    if (match !== null) return named(match[0].replace(/^the /, ''), { kind: 'span', span });
  }
  return null;
}

const NUMERIC_DATE = /(?<![\d:./-])(\d{1,2})(?:[/-](\d{1,2})|\.(\d))(?:[./-]\d{2,4})?(?![\d:])/;

function readDayOfMonth(rest: Remainder, isAnswer: boolean): SpokenTime['day'] {
  const ordinal = ORDINAL_DAY.exec(rest.text);
  if (ordinal !== null && (isAnswer || ordinal[1] !== undefined || /^\d/.test(ordinal[2] ?? ''))) {
    const day = ordinalIn((ordinal[2] ?? '').split(' '));
    if (day !== null && !/\b(?:one|an?|option) $/.test(rest.text.slice(0, ordinal.index))) {
      rest.take(ORDINAL_DAY);
      return named(`the ${day}${suffix(day)}`, { kind: 'date', month: null, day });
    }
  }
  const numeric = NUMERIC_DATE.exec(rest.text);
  const [day, month] = [Number(numeric?.[1]), Number(numeric?.[2] ?? numeric?.[3])];
  if (numeric === null || !(day >= 1 && day <= 31 && month >= 1 && month <= 12)) return null;
  rest.take(NUMERIC_DATE);
  return named(`${day} ${capital(MONTH[month - 1] ?? '')}`, { kind: 'date', month, day });
}

const suffix = (day: number): string =>
  day > 10 && day < 14 ? 'th' : day % 10 === 1 ? 'st' : day % 10 === 2 ? 'nd' : day % 10 === 3 ? 'rd' : 'th';

const ANY = /\b(?:any ?day|any ?time|whenever)\b/;

const readAny = (rest: Remainder): SpokenTime['day'] =>
  rest.take(ANY) === null ? null : named('any day', { kind: 'any' });

/** Whether a line accepts any time ("whenever"). */
export const isAnyTime = (text: string): boolean => ANY.test(prepared(text));

const PART = /\b(morning|noon|midday|lunch ?time|afternoon|evening|midnight|night)\b/;
const MARKED_PART = /\b(?:in the|at|by|around|before|after|until|till|during the) (?:\w+ )?$/;

function readClock(rest: Remainder, day: SpokenTime['day'], isAnswer: boolean): SpokenTime['clock'] {
  const found = PART.exec(rest.text);
  const name = found?.[1] ?? (day?.text === 'tonight' ? 'night' : null);
  const part = name === null ? null : partOf(name);
  const hour = readHour(rest, part !== null, isAnswer);
  if (hour !== null) {
    const inPart =
      found !== null && /^(?:morning|afternoon|evening|night)$/.test(name ?? '')
        ? ` in the ${name ?? ''}`
        : '';
    const text = hour.half === null && inPart !== '' ? `${hour.text}${inPart}` : hour.text + hour.ending;
    const { half, minute } = hour;
    return { text, english: text, value: { hour: hour.hour, minute, half, part } };
  }
  if (found === null || part === null) {
    return part === null
      ? null
      : { text: '', english: '', value: { hour: null, minute: 0, half: null, part } };
  }
  // "I am busy this morning, call me later" is no time to call.
  const isTime =
    isAnswer ||
    day !== null ||
    rest.text.split(' ').length <= 4 ||
    MARKED_PART.test(rest.text.slice(0, found.index));
  const text = day?.text === 'tonight' && part === 'night' ? '' : (found[1] ?? '');
  return isTime ? { text, english: text, value: { hour: null, minute: 0, half: null, part } } : null;
}

const partOf = (name: string): NonNullable<Clock['part']> => {
  if (name === 'midnight' || name === 'morning' || name === 'afternoon' || name === 'evening') return name;
  return name === 'night' ? name : 'noon';
};

interface Hour {
  readonly hour: number;
  readonly minute: number;
  readonly half: 'am' | 'pm' | null;
  readonly text: string;
  /** Appended where neither am/pm nor a part of the day follows. */
  readonly ending: string;
}

const WORDED = new RegExp(`\\b(half past|quarter past|quarter to) (${NUMBER}|\\d{1,2})\\b`);
const COLON = /(?<![\d:.])(\d{1,2})[:.](\d{2})(?: ([ap]m)\b)?(?![\d:])/;

function readHour({ text: line }: Remainder, hasPart: boolean, isAnswer: boolean): Hour | null {
  const colon = COLON.exec(line);
  if (colon !== null && Number(colon[1]) < 24 && Number(colon[2]) < 60) {
    const half = (colon[3] ?? null) as Hour['half'];
    const text = `${colon[1] ?? ''}:${colon[2] ?? ''}${half === null ? '' : ` ${half}`}`;
    return { hour: Number(colon[1]), minute: Number(colon[2]), half, text, ending: '' };
  }
  const worded = WORDED.exec(line);
  const hour = worded === null ? null : numberIn(worded[2] ?? '');
  if (worded !== null && hour !== null && hour <= 12) {
    const minute = { half: 30, past: 15, to: -15 }[
      worded[1] === 'half past' ? 'half' : worded[1] === 'quarter to' ? 'to' : 'past'
    ];
    return { hour, minute, half: null, text: worded[0], ending: '' };
  }
  return numberedHour(line.split(' '), hasPart, isAnswer);
}

/** A number before one of these is a count, not an hour. */
const COUNTED =
  /^(?:seconds?|secs?|minutes?|mins?|hours?|days?|weeks?|months?|years?|times?|people|persons?|kids|of|more|other|moment|thing|percent|%)$/u;
/** After one of these, "one" is a pronoun. */
const PRONOUN = /^(?:no|any|some|this|that|which|another)$/;
const BEFORE_HOUR = /^(?:at|around|about|by|after|before|till|until|from|past)$/;

function numberedHour(tokens: readonly string[], hasPart: boolean, isAnswer: boolean): Hour | null {
  let bare: Hour | null = null;
  for (let at = 0; at < tokens.length; at++) {
    const read = numberAt(tokens, at);
    if (read === null) continue;
    const from = at;
    at = read.end - 1;
    if (read.value > 24 || !/^(?:\d{1,2}|\p{L}+)$/u.test(tokens[from] ?? '')) continue;
    const minutes = numberAt(tokens, read.end);
    const withMinutes = minutes !== null && minutes.value >= 10 && minutes.value < 60;
    const end = withMinutes ? minutes.end : read.end;
    const next = tokens[end] ?? '';
    if (COUNTED.test(next) || (read.value === 1 && PRONOUN.test(tokens[from - 1] ?? ''))) continue;
    const half = next === 'am' || next === 'pm' ? next : null;
    const oclock = next === 'oclock' || (next === 'o' && tokens[end + 1] === 'clock');
    const hour: Hour = {
      hour: read.value,
      minute: withMinutes ? minutes.value : 0,
      half,
      text: `${read.value}${withMinutes ? `:${minutes.value}` : ''}${half === null ? '' : ` ${half}`}`,
      ending: half === null && (oclock || !withMinutes) ? " o'clock" : '',
    };
    if (half !== null || oclock || BEFORE_HOUR.test(tokens[from - 1] ?? '')) return hour;
    const isDigits = /^\d/.test(tokens[from] ?? '');
    if (
      isDigits ||
      withMinutes ||
      hasPart ||
      isAnswer ||
      tokens.filter((token) => token !== '').length <= end - from
    )
      bare ??= hour;
  }
  return bare;
}
