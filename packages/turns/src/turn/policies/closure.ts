import { dictated, digitsWanted } from '@callwright/language';
import type { Expected } from '../ports.ts';
import type { TurnSettings } from '../types.ts';
import { consistsOf, endsWith, normalised, wordsOf } from '../words.ts';
import { isShortStatement } from './short-statements.ts';
import { ENGLISH_OPEN_ENDINGS, LOOSE_ENDINGS, openEndingsOf, STRONG_ENDINGS } from './open-endings.ts';
import { isWholeQuestion } from './whole-questions.ts';

const NONE: readonly string[] = [];

/**
 * How finished the caller's words look, from a whole question or turn to a request to wait: `open` may go on, `unfinished` is
 * the middle of a sentence, `dictating` that of a number or spelling, and `waiting` announces more ("let me check").
 */
export type Closure = 'question' | 'complete' | 'default' | 'open' | 'unfinished' | 'dictating' | 'waiting';

export type ClosureSettings = Pick<
  TurnSettings,
  'language' | 'backchannels' | 'shortAnswers' | 'farewells' | 'waits'
>;

/** `question`: the agent's last line. */
export function closureOf(
  text: string,
  settings: ClosureSettings,
  expected: Expected | null,
  question = '',
): Closure {
  const words = wordsOf(text);
  if (words.length === 0) return 'open';
  if (isExpectedAnswer(text, words, expected)) return 'complete';
  if (consistsOf(text, settings.shortAnswers ?? NONE, settings.farewells ?? NONE)) return 'complete';
  if (isWaiting(text, settings)) return 'waiting';
  const dictation = dictationOf(text, settings.language, expected, question);
  if (dictation !== null) return dictation;
  if (isShortStatement(words, question)) return 'complete';
  const ending = endingOf(text, words, settings.language);
  if (ending !== null) return ending;
  if (consistsOf(text, settings.backchannels)) return 'complete';
  if (isWholeQuestion(text, words, settings.language)) return 'question';
  return /[.?!।॥。！？؟۔။][^\p{L}\p{N}.?!।॥。！？؟۔။]*$/u.test(text) ? 'complete' : 'default';
}

/** One of the expected phrases, or a short answer to a question with short answers. */
function isExpectedAnswer(text: string, words: readonly string[], expected: Expected | null): boolean {
  if (expected === null) return false;
  const said = normalised(text);
  if (expected.phrases.some((phrase) => normalised(phrase) === said)) return true;
  const { kinds } = expected;
  if (kinds.length === 0 || kinds.some((kind) => kind === 'free' || kind === 'digits' || kind === 'name'))
    return false;
  const last = words.at(-1) ?? '';
  return words.length <= 3 && !/[,…-]\s*$/u.test(text) && !ENGLISH_OPEN_ENDINGS.has(last);
}

/** The caller asks for time: alone, after "okay", or at the end of a statement. */
function isWaiting(text: string, { waits = NONE, backchannels }: ClosureSettings): boolean {
  if (/[?？؟]\s*$/u.test(text)) return false;
  if (consistsOf(text, waits)) return true;
  if (consistsOf(text, backchannels)) return false;
  return consistsOf(text, waits, backchannels) || endsWith(text, waits, 3);
}

/** A number shorter than this is no sign that more follows, unless the question asks for one. */
const LEAST_DIGITS = 3;
/** A number of unknown length, said in pieces, may go on up to this many digits (a card). */
const LONGEST_DIGITS = 16;

/** Digits or letters one by one contain pauses: the wait depends on how many are still missing. Null: no dictation. */
function dictationOf(
  text: string,
  language: TurnSettings['language'],
  expected: Expected | null,
  question: string,
): Closure | null {
  const { digits, letters, hasPlus, inPieces } = dictated(text, language);
  const isAsked = expected?.kinds.includes('digits') === true;
  const wanted = digitsWanted(question, language);
  if (digits.length > 0 && wanted !== null && wanted.most > 0) {
    const code = wanted.countryCode ?? '';
    const extra = hasPlus ? code.length : 0;
    const mayHaveCode = !hasPlus && code !== '' && digits.startsWith(code);
    if (digits.length < wanted.least + extra) return 'dictating';
    if (mayHaveCode && digits.length < wanted.least + code.length) return 'open';
    return digits.length < wanted.most + extra ? 'open' : 'complete';
  }
  if (digits.length > 0 && (isAsked || wanted !== null)) {
    return digits.length < 10 ? 'dictating' : digits.length < LONGEST_DIGITS && inPieces ? 'open' : null;
  }
  if (letters.length + digits.length < 2) {
    const spells = letters.length > 0 && expected?.kinds.includes('name') === true;
    return spells ? 'dictating' : null;
  }
  if (letters.length >= 2)
    return isSpelled(text, letters) ? 'complete' : letters.length < 4 ? 'dictating' : 'open';
  if (digits.length >= LONGEST_DIGITS || (digits.length >= 10 && !inPieces)) return null;
  return inPieces || digits.length >= LEAST_DIGITS ? 'open' : null;
}

/** "Kumar, K U M A R": the letters have reached the end of the word before them. */
const isSpelled = (text: string, letters: string): boolean =>
  letters.length > 2 && wordsOf(text).some((word) => word === letters);

/** Whether the last word or mark leaves the phrase open. */
function endingOf(text: string, words: readonly string[], language: string): Closure | null {
  if (/(?:[,;:，、،—-]|\.\.\.|…)\s*$/u.test(text)) return 'unfinished';
  if (/[?!！？؟]\s*$/u.test(text)) return null;
  const last = words.at(-1) ?? '';
  const own = openEndingsOf(language);
  const isStopped = /[.।॥。۔။]\s*$/u.test(text) && words.length > 1;
  // Recognisers put full stops after pauses too: only a conjunction or article outweighs one.
  if (isStopped) return STRONG_ENDINGS.has(last) ? 'unfinished' : null;
  if (LOOSE_ENDINGS.has(last)) return 'open';
  if (own.has(last) || ENGLISH_OPEN_ENDINGS.has(last)) return 'unfinished';
  const isOpen = [...own].some(
    (ending) => /[\p{Script=Han}\p{Script=Myanmar}]$/u.test(ending) && last.endsWith(ending),
  );
  return isOpen ? 'unfinished' : null;
}
