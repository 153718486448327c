import {
  hasPhrase,
  normal,
  readTime,
  resolveDate,
  resolveTime,
  understand,
  type AnswerKind,
  type CallerLine,
} from '@callwright/language';
import { hiddenEntry } from '@callwright/turns';
import type { CaptureKind } from '../document.ts';
import type { Value } from '../expression.ts';
import type { FlowWording } from '../wording.ts';

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

/** The instant of an answer, epoch ms, and the zone of its days. */
export interface Moment {
  readonly now: number;
  readonly zone: string;
}

export type Captured =
  /** `spoken`: the value as it is read back. */
  | { readonly type: 'value'; readonly value: Value; readonly spoken: string }
  | { readonly type: 'refused' }
  | { readonly type: 'nothing' };

const NOTHING: Captured = { type: 'nothing' };
const ANSWER_OF: Readonly<Partial<Record<CaptureKind, AnswerKind>>> = {
  yes_no: 'yes_no',
  choice: 'choice',
  name: 'name',
  date: 'date',
  time: 'time',
  number: 'number',
  digits: 'digits',
  free: 'free',
};

/** Reads the caller's line as the wanted value, normalised: dates as YYYY-MM-DD, times as HH:MM, numbers as numbers. */
export function capture(wanted: Wanted, line: CallerLine, wording: FlowWording, moment: Moment): Captured {
  const { kind, values } = wanted;
  if (wanted.isSensitive) return hiddenEntry(line.text) === null ? NOTHING : valued(line.text.trim(), '');
  const answer = ANSWER_OF[kind];
  if (answer === undefined) return NOTHING;
  const understood = understand(line, { answer, choices: values }, wording.table);
  if (understood === null || understood.type === 'unknown') return NOTHING;
  if (understood.type !== 'value') {
    if (kind === 'yes_no') {
      const isYes = understood.type === 'yes';
      return valued(isYes, (isYes ? wording.table.yes : wording.table.no)[0] ?? '');
    }
    return understood.type === 'no' && kind !== 'free' ? { type: 'refused' } : NOTHING;
  }
  const said = understood.value;
  switch (kind) {
    case 'number':
      return Number.isFinite(Number(said)) ? valued(Number(said), said) : NOTHING;
    case 'digits':
      return wanted.digits === null || said.length === wanted.digits ? valued(said, said.split('').join(' ')) : NOTHING;
    case 'date':
      return dateOf(line.by === 'keypad' ? said : line.text, wording, moment);
    case 'time':
      return timeOf(line.by === 'keypad' ? said : line.text, wording, moment);
    default:
      return valued(said, said);
  }
}

const valued = (value: Value, spoken: string): Captured => ({ type: 'value', value, spoken });

function dateOf(text: string, { table }: FlowWording, moment: Moment): Captured {
  const read = readTime(text, table, { isAnswer: true });
  const date = resolveDate(read, moment);
  return date === null || read.day === null ? NOTHING : valued(date, read.day.text);
}

const DAY_MS = 86_400_000;

/** The time of day that a text names to the minute. */
function timeOf(text: string, { table }: FlowWording, moment: Moment): Captured {
  const read = readTime(text, table, { isAnswer: true });
  if (read.fromNow !== null) return NOTHING;
  const { clock } = read;
  // A fixed day: only the time of day counts.
  const found = resolveTime({ ...read, day: null, offsetMs: null }, { now: 0, zone: 'UTC' });
  if (clock === null || found === null || found.granularity !== 'minute') return NOTHING;
  const value = new Date(found.at % DAY_MS).toISOString().slice(11, 16);
  return valued(value, clock.text === '' ? value : clock.text);
}

/**
 * The same for words that were said before the question: only what names its own kind counts, a day, a time, or a value by
 * its name.
 */
export function captureEarly(wanted: Wanted, line: CallerLine, wording: FlowWording, moment: Moment): Captured {
  if (wanted.isSensitive || line.by === 'keypad') return NOTHING;
  if (wanted.kind === 'date' || wanted.kind === 'time') return capture(wanted, line, wording, moment);
  if (wanted.kind !== 'choice') return NOTHING;
  const said = normal(line.text);
  const named = wanted.values.filter((value) => hasPhrase(said, normal(value)));
  return named.length === 1 ? valued(named[0]!, named[0]!) : NOTHING;
}
