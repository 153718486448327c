import { hasPhrase, keypadOffer, normal, polarity, understand, type CallerLine } from '@callwright/language';
import type { Expected } from '@callwright/turns';
import type { CaptureKind, ChooseNode, CollectNode } from '../document.ts';
import { capture, captureEarly, type Captured, type Wanted } from '../capture/capture.ts';
import type { Moment } from '../capture/days.ts';
import { withPart } from '../capture/digits.ts';
import type { Draft } from './draft.ts';
import { wantedOf } from './program.ts';

export type Question = ChooseNode | CollectNode;

/** What recognisers expect at any question, beside its answers. */
const CONTROL = ['repeat please', 'speak to a human', 'stop calling me', 'goodbye'];

/** Asks a question, or for the confirmation of its answer; by keys as well once words have failed. */
export function ask(draft: Draft, node: Question, hears: boolean): void {
  const { program, state } = draft;
  const wanted = wantedOf(program, node)!;
  const expected = expectedOf(draft, node, wanted);
  if (state.verifying === null) draft.speak(node.ask);
  else draft.say(program.wording.verify.replace('{value}', () => state.verifying?.spoken ?? ''));
  if (!hears || state.tries >= 2 || wanted.isSensitive) {
    const isNew = !hears && !state.isExplained;
    draft.say(keypadOffer(expected, program.wording.language, isNew));
    if (isNew) draft.change({ isExplained: true });
  }
  draft.effects.push({ type: 'expect', expected });
}

/** Leaves the floor to the caller without the question. */
export const expect = (draft: Draft, node: Question): void => {
  draft.effects.push({ type: 'expect', expected: expectedOf(draft, node, wantedOf(draft.program, node)!) });
};

function expectedOf(draft: Draft, node: Question, { kind, values, digits, isSensitive }: Wanted): Expected {
  const { program, state } = draft;
  const control = [
    ...(program.wording.table.locale === 'en' ? CONTROL : []),
    ...program.global.flatMap(({ examples }) => examples),
  ];
  if (state.verifying !== null)
    return { kinds: [...new Set(['yes_no' as const, ...KINDS[kind]])], phrases: control };
  const phrases = node.type === 'choose' ? answersOf(draft, node) : values;
  return {
    kinds: KINDS[kind],
    phrases: [...new Set([...phrases, ...control])],
    ...(values.length === 0 ? {} : { choices: values }),
    ...(digits === null ? {} : { digits }),
    ...(isSensitive ? { sensitive: true } : {}),
  };
}

/** What callers say for the answers of a node; for yes and no also other short words of the language. */
function answersOf({ program }: Draft, { answers }: ChooseNode): string[] {
  const named = answers.flatMap(({ name, phrases = [] }) => [name, ...phrases]);
  const { table } = program.wording;
  const short = isYesNo(answers)
    ? table.conversation.shortAnswers.filter((phrase) => polarity(phrase, table) !== null)
    : [];
  return [...named, ...short];
}

type ExpectedKinds = Expected['kinds'];
/** What recognisers expect, and which keys answer. */
const KINDS: Readonly<Record<CaptureKind, ExpectedKinds>> = {
  yes_no: ['yes_no'],
  consent: ['yes_no'],
  choice: ['choice'],
  name: ['name'],
  spelled: ['free'],
  email: ['free'],
  address: ['free'],
  phone: ['digits'],
  postcode: ['digits'],
  card: ['digits'],
  account: ['digits'],
  digits: ['digits'],
  number: ['number'],
  money: ['number'],
  date: ['date', 'time'],
  time: ['time'],
  date_time: ['date', 'time'],
  free: ['free', 'yes_no'],
};

/** The answer in the caller's line. */
export function answerIn(draft: Draft, node: Question, line: CallerLine, moment: Moment): Captured {
  const { program } = draft;
  const named =
    node.type === 'choose' && line.by !== 'keypad'
      ? (namedAnswer(node, line.text) ?? yesOrNo(draft, node, line.text))
      : null;
  if (named !== null) return { type: 'value', value: named, spoken: named };
  return capture(wantedOf(program, node)!, line, program.wording, moment);
}

const NUMBERS: ReadonlySet<CaptureKind> = new Set(['digits', 'phone', 'card', 'account', 'postcode']);

/** The number that was read back, with the part that the caller corrects ("no, four five at the end"); null: none. */
export function mended(draft: Draft, node: Question, line: CallerLine, moment: Moment): Captured | null {
  const { program, state } = draft;
  const { kind } = wantedOf(program, node)!;
  const value = state.verifying?.value;
  if (typeof value !== 'string' || line.by === 'keypad' || !NUMBERS.has(kind)) return null;
  const whole = withPart(value, line.text, program.wording.language, program.wording.table.locale);
  // Typed, so that it is read as one number.
  return whole === null ? null : answerIn(draft, node, { text: whole, by: 'text' }, moment);
}

/** The answer in what the caller said before the question. */
export function earlyAnswer(draft: Draft, node: Question, line: CallerLine, moment: Moment): Captured {
  if (node.type === 'choose') {
    const named = line.by === 'keypad' ? null : namedAnswer(node, line.text);
    return named === null ? { type: 'nothing' } : { type: 'value', value: named, spoken: named };
  }
  return captureEarly(wantedOf(draft.program, node)!, line, draft.program.wording, moment);
}

/** The one answer whose name or phrases are in a text. */
function namedAnswer({ answers }: ChooseNode, text: string): string | null {
  const said = normal(text);
  const found = answers.filter(({ name, phrases = [] }) =>
    [name, ...phrases].some((phrase) => normal(phrase) !== '' && hasPhrase(said, normal(phrase))),
  );
  return found.length === 1 ? found[0]!.name : null;
}

/** In any words of the language, where the answers are called yes and no. */
function yesOrNo({ program }: Draft, node: ChooseNode, text: string): string | null {
  return isYesNo(node.answers) ? polarity(text, program.wording.table) : null;
}
const isYesNo = (answers: ChooseNode['answers']): boolean =>
  ['yes', 'no'].every((name) => answers.some((answer) => answer.name === name));

/** Yes or no to a read-back; null: neither. */
export function confirmation({ program }: Draft, line: CallerLine): 'yes' | 'no' | null {
  const found = understand(line, { answer: 'yes_no', choices: [] }, program.wording.table);
  return found?.type === 'yes' || found?.type === 'no' ? found.type : null;
}
