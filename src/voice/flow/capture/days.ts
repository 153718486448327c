import { readTime, resolveDate, resolveTime, type CallerLine, type PhraseTable } from '@callwright/language';
import { numberSaid } from './numbers.ts';

/** The instant of an answer, epoch ms, and the zone of its days. */
export interface Moment {
  readonly now: number;
  readonly zone: string;
}
/** A value and how it is read back. */
interface Read {
  readonly value: string;
  readonly spoken: string;
}

const DAY_MS = 86_400_000;

/** The day that a text names, as YYYY-MM-DD. */
export function dayIn(text: string, table: PhraseTable, moment: Moment): Read | null {
  const written = table.locale === 'zh' ? chineseDay(text, table, moment) : null;
  if (written !== null) return { value: written, spoken: written };
  const read = readTime(text, table, { isAnswer: true });
  const value = resolveDate(read, moment);
  return value === null || read.day === null ? null : { value, spoken: read.day.text };
}

const MONTH_AND_DAY = /([\d零一二三四五六七八九十]{1,3})月([\d零一二三四五六七八九十]{1,3})/u;

/** "1月14日", "一月十四号". */
function chineseDay(text: string, table: PhraseTable, moment: Moment): string | null {
  const found = MONTH_AND_DAY.exec(text);
  if (found === null) return null;
  const [month, day] = [numberSaid(found[1]!, table), numberSaid(found[2]!, table)];
  return month === null || day === null ? null : dayOf({ month, day }, moment);
}

/** The next day of the calendar with this month and day. */
function dayOf(date: { month: number; day: number; year?: number }, moment: Moment): string | null {
  if (date.month < 1 || date.month > 12 || date.day < 1) return null;
  const day = { text: '', english: '', value: { kind: 'date', ...date } } as const;
  return resolveDate({ day, clock: null, fromNow: null, offsetMs: null }, moment);
}

/** The time of day that a text names to the minute, as HH:MM. */
export function hourIn(text: string, table: PhraseTable): Read | null {
  const read = readTime(text, table, { isAnswer: true });
  if (read.fromNow !== null || read.clock === null) return null;
  // A fixed day: only the time of day counts.
  const found = resolveTime({ ...read, day: null, offsetMs: null }, { now: 0, zone: 'UTC' });
  if (found === null || found.granularity !== 'minute') return null;
  const value = new Date(found.at % DAY_MS).toISOString().slice(11, 16);
  return { value, spoken: read.clock.text === '' ? value : read.clock.text };
}

/** A day and its time, as YYYY-MM-DDTHH:MM. */
export function dayAndHourIn(text: string, table: PhraseTable, moment: Moment): Read | null {
  const [first, ...rest] = text.slice(0, 300).split(PARTS);
  const [before, after] = [first!, rest.join(' ')];
  const halves =
    rest.length === 0 ? [] : [bothIn(before, after, table, moment), bothIn(after, before, table, moment)];
  return halves.find((read) => read !== null) ?? bothIn(text, text, table, moment);
}

/** Between a day and its time; without it "21 November, eight" has two numbers beside the month. */
const PARTS = /[,，、،]|(?<=(?:星期|礼拜|周)[一二三四五六日天])|(?<=\d[日号]|[一二三四五六七八九十][日号])/u;

function bothIn(dayText: string, hourText: string, table: PhraseTable, moment: Moment): Read | null {
  const [day, hour] = [dayIn(dayText, table, moment), hourIn(hourText, table)];
  return day === null || hour === null
    ? null
    : { value: `${day.value}T${hour.value}`, spoken: `${day.spoken}, ${hour.spoken}` };
}

/** Spellings that stand for those of Intl or of the phrases, and endings that are written to the number. */
const SPELLINGS: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  pa: [[/ਸ਼ਨਿੱਚਰਵਾਰ|ਸ਼ਨਿਚਰਵਾਰ/gu, 'ਸ਼ਨੀਵਾਰ']],
  my: [[/သြဂုတ်/gu, 'ဩဂုတ်']],
  bn: [
    [/(?<=\p{L}\p{M}?)(?=টা)/gu, ' '],
    // "Nine o'clock"; alone the word also denies.
    [/নয় ?(?=টা)/gu, '9 '],
  ],
  or: [[/(?<=\p{L}\p{M}?)(?=ଟା)/gu, ' ']],
};

/** A text with its days and times in the spelling that is read. */
export const timeSpelling = (text: string, { locale }: PhraseTable): string =>
  (SPELLINGS[locale] ?? []).reduce(
    (said, [found, spelling]) => said.replace(found, spelling),
    text.normalize('NFC'),
  );

/** A day by keys: day and month, in American order where the language has it, and the year if there are eight. */
export function keyedDay(keys: string, language: string, moment: Moment): string | null {
  const digits = keys.replaceAll(/\D/g, '');
  if (digits.length !== 4 && digits.length !== 8) return null;
  const [first, second] = [Number(digits.slice(0, 2)), Number(digits.slice(2, 4))];
  const [month, day] = language === 'en-US' ? [first, second] : [second, first];
  return dayOf({ month, day, ...(digits.length === 8 ? { year: Number(digits.slice(4)) } : {}) }, moment);
}

/** What a line of words or the meaning of its keys says. */
export const saidBy = (line: CallerLine, meaning: string): string =>
  line.by === 'keypad' ? meaning : line.text;
