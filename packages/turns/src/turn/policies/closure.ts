import { dictatedSoFar, digitsWanted } from '@callwright/language';
import type { Expected } from '../ports.ts';
import type { TurnSettings } from '../types.ts';
import { NO_LIST } from '../phrase-set.ts';
import { consistsOf, endsWith } from '../phrases.ts';
import type { Said } from '../said.ts';
import { wordsOf } from '../words.ts';
import { isShortStatement } from './short-statements.ts';
import { ENGLISH_OPEN_ENDINGS, LOOSE_ENDINGS, openEndingsOf, STRONG_ENDINGS } from './open-endings.ts';
import { isWholeQuestion } from './whole-questions.ts';

/**
 * How finished the caller's words look, from a whole question or turn to a request to wait: `answer` is an expected answer, or a
 * short one such as "yes", `open` may go on, `unfinished` is
 * the middle of a sentence, `dictating` that of a number or spelling, `number` a number of unknown length that may be over, and
 * `waiting` announces more ("let me check").
 */
export type Closure =
  | 'question'
  | 'answer'
  | 'complete'
  | 'default'
  | 'open'
  | 'unfinished'
  | 'number'
  | 'dictating'
  | 'waiting';

export type ClosureSettings = Pick<
  TurnSettings,
  'language' | 'backchannels' | 'shortAnswers' | 'farewells' | 'waits'
>;

/** The last judgement of a text: all timers of one event ask for it. */
interface Judgement {
  readonly settings: ClosureSettings;
  readonly expected: Expected | null;
  readonly question: string;
  readonly closure: Closure;
}
const judged = new WeakMap<Said, Judgement>();

/** `question`: the agent's last line. */
export function closureOf(
  said: Said,
  settings: ClosureSettings,
  expected: Expected | null,
  question = '',
): Closure {
  const known = judged.get(said);
  if (known?.settings === settings && known.expected === expected && known.question === question)
    return known.closure;
  const closure = judge(said, settings, expected, question);
  judged.set(said, { settings, expected, question, closure });
  return closure;
}

function judge(said: Said, settings: ClosureSettings, expected: Expected | null, question: string): Closure {
  const { words } = said;
  const { language, shortAnswers = NO_LIST, farewells = NO_LIST, backchannels } = settings;
  if (words.length === 0) return 'open';
  if (isExpectedAnswer(said, expected)) return 'answer';
  if (consistsOf(said, shortAnswers, farewells)) return 'answer';
  if (isWaiting(said, settings)) return 'waiting';
  const dictation = dictationOf(said, language, expected, question);
  if (dictation !== null) return dictation;
  if (isShortStatement(words, question)) return 'complete';
  const ending = endingOf(said, language);
  if (ending !== null) return ending;
  if (consistsOf(said, backchannels)) return 'complete';
  if (isWholeQuestion(said, language)) return 'question';
  if (isNamed(said, expected)) return 'complete';
  return said.marks.stops ? 'complete' : 'default';
}

/** One of the expected phrases, or a short answer to a question with short answers. */
function isExpectedAnswer({ words, end }: Said, expected: Expected | null): boolean {
  if (expected === null) return false;
  if (expected.phrases.some((phrase) => isSame(wordsOf(phrase), words))) return true;
  const { kinds } = expected;
  if (kinds.length === 0 || kinds.some((kind) => kind === 'free' || kind === 'digits' || kind === 'name'))
    return false;
  const last = words.at(-1) ?? '';
  return words.length <= 3 && !/[,…-]$/u.test(end) && !ENGLISH_OPEN_ENDINGS.has(last);
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((word, i) => word === other[i]);

/** The caller asks for time: alone, after "okay", or at the end of a statement. */
function isWaiting(said: Said, { waits = NO_LIST, backchannels }: ClosureSettings): boolean {
  if (/[?？؟]$/u.test(said.end)) return false;
  if (consistsOf(said, waits)) return true;
  if (consistsOf(said, backchannels)) return false;
  return consistsOf(said, waits, backchannels) || endsWith(said, waits, 3);
}

/** A number shorter than this is no sign that more follows, unless the question asks for one. */
const LEAST_DIGITS = 3;
/** Few numbers that agents ask for are shorter, so that fewer digits are the beginning of one. */
const SHORTEST_ASKED = 4;
/** A number of unknown length, said in pieces, may go on up to this many digits (a card). */
const LONGEST_DIGITS = 16;

/** Digits or letters one by one contain pauses: the wait depends on how many are still missing. Null: no dictation. */
function dictationOf(
  said: Said,
  language: TurnSettings['language'],
  expected: Expected | null,
  question: string,
): Closure | null {
  said.dictation = dictatedSoFar(said.text, language, said.dictation);
  const { digits, letters, hasPlus, inPieces } = said.dictation.dictated;
  const isAsked = expected?.kinds.includes('digits') === true;
  const count = expected?.digits;
  const wanted =
    count === undefined ? digitsWanted(question, language) : { least: count, most: count, countryCode: null };
  if (digits.length > 0 && wanted !== null && wanted.most > 0) {
    const code = wanted.countryCode ?? '';
    const extra = hasPlus ? code.length : 0;
    const mayHaveCode = !hasPlus && code !== '' && digits.startsWith(code);
    if (digits.length < wanted.least + extra) return 'dictating';
    if (mayHaveCode && digits.length < wanted.least + code.length) return 'open';
    return digits.length < wanted.most + extra ? 'open' : 'complete';
  }
  if (digits.length > 0 && (isAsked || wanted !== null)) {
    if (digits.length + letters.length < SHORTEST_ASKED) return 'dictating';
    return digits.length < 10 ? 'number' : digits.length < LONGEST_DIGITS && inPieces ? 'open' : null;
  }
  if (letters.length + digits.length < 2) {
    const spells = letters.length > 0 && expected?.kinds.includes('name') === true;
    return spells ? 'dictating' : null;
  }
  if (letters.length >= 2)
    return isSpelled(said, letters) ? 'complete' : letters.length < 4 ? 'dictating' : 'open';
  if (digits.length >= LONGEST_DIGITS || (digits.length >= 10 && !inPieces)) return null;
  return inPieces || digits.length >= LEAST_DIGITS ? 'open' : null;
}

/** How callers introduce the name that the agent asked for. */
const NAMING = [
  ['my', 'name', 'is'],
  ['my', 'names'],
  ['the', 'name', 'is'],
  ['it', 'is'],
  ['its'],
  ['this', 'is'],
  ['i', 'am'],
  ['im'],
];
const MOST_NAMES = 3;

/** "My name is Robert": the whole answer to a question for a name. */
function isNamed({ words }: Said, expected: Expected | null): boolean {
  if (expected?.kinds.includes('name') !== true) return false;
  return NAMING.some(
    (naming) =>
      words.length > naming.length &&
      words.length <= naming.length + MOST_NAMES &&
      naming.every((word, i) => words[i] === word),
  );
}

/** "Kumar, K U M A R": the letters have reached the end of the word before them. */
const isSpelled = ({ words }: Said, letters: string): boolean =>
  letters.length > 2 && words.includes(letters);

/** Whether the last word or mark leaves the phrase open. */
function endingOf({ words, end }: Said, language: string): Closure | null {
  if (/(?:[,;:，、،—-]|\.\.\.|…)$/u.test(end)) return 'unfinished';
  if (/[?!！？؟]$/u.test(end)) return null;
  const last = words.at(-1) ?? '';
  const own = openEndingsOf(language);
  const isStopped = /[.।॥。۔။]$/u.test(end) && words.length > 1;
  // Recognisers put full stops after pauses too: only a conjunction or article outweighs one.
  if (isStopped) return STRONG_ENDINGS.has(last) ? 'unfinished' : null;
  if (LOOSE_ENDINGS.has(last)) return 'open';
  if (own.has(last) || ENGLISH_OPEN_ENDINGS.has(last)) return 'unfinished';
  const isOpen = [...own].some(
    (ending) => /[\p{Script=Han}\p{Script=Myanmar}]$/u.test(ending) && last.endsWith(ending),
  );
  return isOpen ? 'unfinished' : null;
}
