import type { Expected } from '../../ports.ts';
import { isFloorFree, isTalking, type TurnState } from '../state.ts';
import type { TurnSettings } from '../types.ts';
import { consistsOf, normalised, wordsOf } from '../words.ts';
import { ENGLISH_OPEN_ENDINGS, openEndingsOf, SPOKEN_DIGITS } from './open-endings.ts';

/** Words unchanged for this long end a turn even if the line never gets quiet. */
const STUCK_WORDS_MS = 3_000;

const NONE: readonly string[] = [];

/** Whether words look like a complete turn, an unfinished one, or neither. */
export type Closure = 'complete' | 'default' | 'open';

export function closureOf(
  text: string,
  settings: Pick<TurnSettings, 'language' | 'backchannels' | 'shortAnswers' | 'farewells'>,
  expected: Expected | null,
): Closure {
  const words = wordsOf(text);
  if (words.length === 0) return 'open';
  if (isExpectedAnswer(text, words, expected)) return 'complete';
  if (consistsOf(text, settings.shortAnswers ?? NONE, settings.farewells ?? NONE)) return 'complete';
  if (isDictating(words, expected) || isLeftOpen(text, words, settings.language)) return 'open';
  if (consistsOf(text, settings.backchannels)) return 'complete';
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

/** Digits or letters one by one: dictated numbers and spellings contain pauses. */
function isDictating(words: readonly string[], expected: Expected | null): boolean {
  let run = 0;
  let digits = 0;
  for (let i = words.length - 1; i >= 0; i--) {
    const word = words[i] ?? '';
    const numeral = /^\p{Nd}+$/u.test(word);
    if (!numeral && !SPOKEN_DIGITS.has(word) && !/^[a-z]$/u.test(word)) break;
    run++;
    digits += numeral ? word.length : 1;
  }
  const wanted = expected?.kinds.includes('digits') === true || expected?.kinds.includes('name') === true;
  if (digits >= 10) return false;
  return digits >= 3 || run >= 2 || (wanted && run >= 1);
}

function isLeftOpen(text: string, words: readonly string[], language: string): boolean {
  if (/(?:[,;:，、،—-]|\.\.\.|…)\s*$/u.test(text)) return true;
  if (/[?!！？؟]\s*$/u.test(text)) return false;
  if (/[.।॥。۔။]\s*$/u.test(text) && words.length > 1) return false;
  const last = words.at(-1) ?? '';
  const own = openEndingsOf(language);
  if (own.has(last) || ENGLISH_OPEN_ENDINGS.has(last)) return true;
  return [...own].some(
    (ending) => /[\p{Script=Han}\p{Script=Myanmar}]$/u.test(ending) && last.endsWith(ending),
  );
}

/** Silence before the caller's words are committed, ms. */
export function waitFor(state: TurnState): number {
  const closure = closureOf(state.caller.text, state.settings, state.expected);
  if (closure === 'complete') return state.adapted.completeMs;
  if (closure === 'default') return state.adapted.defaultMs;
  return Math.max(state.settings.endpointing.patientMs, state.adapted.defaultMs);
}

/** The caller is quiet, no final is pending, and there are words. */
const hasRested = ({ caller }: TurnState): boolean =>
  caller.text !== '' && !isTalking(caller) && caller.awaitingUntil === null;

/** When to prepare a reply before the commit. */
export function prepareDue(state: TurnState): number | null {
  const { caller, settings, reply, keypad } = state;
  if (reply !== null || keypad !== null || caller.unprepared || caller.certain || !hasRested(state))
    return null;
  return caller.quietSince + settings.endpointing.prepareMs;
}

/** When the caller's words are committed as a turn. */
export function commitDue(state: TurnState): number | null {
  if (!isFloorFree(state) || state.keypad !== null || !hasRested(state)) return null;
  return state.caller.certain ? 0 : state.caller.quietSince + waitFor(state);
}

/** When a turn whose words have ended is committed although the sound goes on. */
export function stuckWordsDue(state: TurnState): number | null {
  const { caller } = state;
  if (!isTalking(caller) || !caller.segmentHeard || !isFloorFree(state)) return null;
  if (caller.text === '' && caller.partial === '') return null;
  return Math.max(caller.changedAt, caller.segmentSince) + STUCK_WORDS_MS;
}
