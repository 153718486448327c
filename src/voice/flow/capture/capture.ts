import {
  hasPhrase,
  normal,
  polarity,
  understand,
  words,
  type AnswerKind,
  type CallerLine,
  type PhraseTable,
} from '@callwright/language';
import { hiddenEntry } from '@callwright/turns';
import type { CaptureKind } from '../document.ts';
import type { Value } from '../expression.ts';
import type { FlowWording } from '../wording.ts';
import { correctionIn } from './correction.ts';
import { accountIn, addressIn, emailIn, phoneIn, postcodeIn, spelledIn } from './contact.ts';
import { dayAndHourIn, dayIn, hourIn, keyedDay, saidBy, timeSpelling, type Moment } from './days.ts';
import { digitsSaid, isCardNumber } from './digits.ts';
import { withoutLeadIns } from './lead-ins.ts';
import { moneyIn } from './money.ts';
import { composesNumbers, numberSaid } from './numbers.ts';

/** What a question wants. */
export interface Wanted {
  readonly kind: CaptureKind;
  /** The values of a choice. */
  readonly values: readonly string[];
  /** Of the kind digits: how many; null: any number from two on. */
  readonly digits: number | null;
  /** The value stays hidden: only keys answer. */
  readonly isSensitive: boolean;
}

export type Captured =
  /** `spoken`: the value as it is read back. */
  | { readonly type: 'value'; readonly value: Value; readonly spoken: string }
  | { readonly type: 'refused' }
  | { readonly type: 'nothing' };

const NOTHING: Captured = { type: 'nothing' };
const valued = (value: Value | null, spoken = String(value)): Captured =>
  value === null ? NOTHING : { type: 'value', value, spoken };
/** Read back sign by sign. */
const apart = (value: string | null): Captured => valued(value, value?.split('').join(' '));

/** Kinds that `understand` reads in every language. */
const ANSWER_OF: Readonly<Partial<Record<CaptureKind, AnswerKind>>> = {
  yes_no: 'yes_no',
  consent: 'yes_no',
  choice: 'choice',
  name: 'name',
  date: 'date',
  time: 'time',
  number: 'number',
  free: 'free',
};

/**
 * Reads the caller's line as the wanted value, normalised: dates as YYYY-MM-DD, phones as E.164, numbers as numbers. Of a
 * value that the caller takes back and another one ("Monday, no, Tuesday"), the other one.
 */
export function capture(wanted: Wanted, line: CallerLine, wording: FlowWording, moment: Moment): Captured {
  if (wanted.isSensitive) return hiddenEntry(line.text) === null ? NOTHING : valued(line.text.trim(), '');
  const isSaid = line.by !== 'keypad' && CORRECTED.has(wanted.kind);
  const parts = isSaid ? correctionIn(line.text, wording.table) : null;
  if (parts !== null) {
    const [taken, kept] = [parts.before, parts.after].map((text) =>
      read(wanted, { ...line, text }, wording, moment),
    );
    if (taken?.type === 'value' && kept?.type === 'value') return kept;
  }
  return read(wanted, line, wording, moment);
}

/** Kinds of which one line may name two values. */
const CORRECTED: ReadonlySet<CaptureKind> = new Set([
  'choice',
  'date',
  'time',
  'date_time',
  'number',
  'money',
  'digits',
  'phone',
  'postcode',
  'account',
]);

function read(wanted: Wanted, line: CallerLine, wording: FlowWording, moment: Moment): Captured {
  const answer = ANSWER_OF[wanted.kind];
  if (answer !== undefined) return understood(wanted, answer, plain(wanted, line, wording), wording, moment);
  const found = written(wanted, plain(wanted, line, wording), wording, moment);
  const isNo = found.type === 'nothing' && line.by !== 'keypad' && words(line.text).length <= 4;
  return isNo && polarity(line.text, wording.table) === 'no' ? { type: 'refused' } : found;
}

/** The line without the words around a name or an address, and with times in the spelling that is read. */
function plain({ kind }: Wanted, line: CallerLine, { table }: FlowWording): CallerLine {
  if (line.by === 'keypad') return line;
  if (kind === 'name' || kind === 'address') return { ...line, text: withoutLeadIns(line.text, kind, table) };
  const isTime = kind === 'date' || kind === 'time' || kind === 'date_time';
  return isTime ? { ...line, text: timeSpelling(line.text, table) } : line;
}

function understood(
  { kind, values }: Wanted,
  answer: AnswerKind,
  line: CallerLine,
  wording: FlowWording,
  moment: Moment,
): Captured {
  const { table, language } = wording;
  const keyed = kind === 'date' && line.by === 'keypad' ? keyedDay(line.text, language, moment) : null;
  if (keyed !== null) return valued(keyed);
  const day = kind === 'date' && line.by !== 'keypad' ? dayIn(line.text, table, moment) : null;
  if (day !== null) return ofRead(day);
  const isComposed = kind === 'number' && line.by !== 'keypad' && composesNumbers(table);
  const number = isComposed ? numberSaid(line.text, table) : null;
  if (number !== null) return valued(number);
  if (kind === 'free' && line.by === 'speech' && isMurmur(line.text, table)) return NOTHING;
  const found = understand(line, { answer, choices: values }, table);
  if (found === null || found.type === 'unknown') return NOTHING;
  // What the phrases list of such a language may be a part of the number.
  if (isComposed && found.type === 'value') return NOTHING;
  if (found.type !== 'value') {
    if (answer === 'yes_no') {
      const isYes = found.type === 'yes';
      return valued(isYes, (isYes ? table.yes : table.no)[0] ?? '');
    }
    return found.type === 'no' && kind !== 'free' ? { type: 'refused' } : NOTHING;
  }
  if (kind === 'number') return Number.isFinite(Number(found.value)) ? valued(Number(found.value)) : NOTHING;
  if (kind === 'date') return ofRead(dayIn(saidBy(line, found.value), table, moment));
  if (kind === 'time') return ofRead(hourIn(saidBy(line, found.value), table));
  return valued(found.value);
}

/** "Hmm", "um": sounds of a listener, which say neither yes nor no. */
const isMurmur = (text: string, table: PhraseTable): boolean =>
  polarity(text, table) === null &&
  [...table.conversation.backchannels, ...MURMURS].some((phrase) => normal(phrase) === normal(text));
const MURMURS = ['hm', 'hmm', 'mm', 'um', 'uh', 'er', 'ah', 'oh'];

const ofRead = (read: { readonly value: string; readonly spoken: string } | null): Captured =>
  read === null ? NOTHING : valued(read.value, read.spoken);

/** Kinds with a form of their own. */
function written(
  { kind, digits }: Wanted,
  line: CallerLine,
  { table, language }: FlowWording,
  moment: Moment,
): Captured {
  const { text } = line;
  const isTyped = line.by === 'text';
  switch (kind) {
    case 'digits': {
      const said = digitsSaid(text, language).digits;
      return said.length >= 2 && (digits === null || said.length === digits) ? apart(said) : NOTHING;
    }
    case 'card': {
      const said = digitsSaid(text, language).digits;
      return isCardNumber(said) ? apart(said) : NOTHING;
    }
    case 'account':
      return apart(accountIn(text, language, isTyped));
    case 'phone':
      return apart(phoneIn(text, language));
    case 'postcode':
      return apart(postcodeIn(text, language));
    case 'spelled':
      return apart(spelledIn(text, isTyped));
    case 'email':
      return valued(emailIn(text));
    case 'address':
      return valued(addressIn(text));
    case 'money':
      return valued(
        moneyIn(line.by === 'keypad' ? text.replace('*', '.').replaceAll(/[^0-9.]/g, '') : text, table),
      );
    case 'date_time':
      return ofRead(dayAndHourIn(text, table, moment));
    case 'yes_no':
    case 'consent':
    case 'choice':
    case 'name':
    case 'date':
    case 'time':
    case 'number':
    case 'free':
      break;
  }
  return NOTHING;
}

/** Kinds whose values are no other kind's words. */
const NAMES_ITSELF: ReadonlySet<CaptureKind> = new Set(['date', 'time', 'email', 'phone']);

/**
 * The same for words that were said before the question: only what names its own kind counts, a day, a time, a phone number, an e-mail address, or a value by
 * its name.
 */
export function captureEarly(
  wanted: Wanted,
  line: CallerLine,
  wording: FlowWording,
  moment: Moment,
): Captured {
  if (wanted.isSensitive || line.by === 'keypad') return NOTHING;
  if (NAMES_ITSELF.has(wanted.kind)) return capture(wanted, line, wording, moment);
  if (wanted.kind !== 'choice') return NOTHING;
  const said = normal(line.text);
  const named = wanted.values.filter((value) => hasPhrase(said, normal(value)));
  return named.length === 1 ? valued(named[0]!) : NOTHING;
}
