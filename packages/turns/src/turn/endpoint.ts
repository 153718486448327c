import { joinText } from '../sentences.ts';
import { IGNORED } from './segment.ts';
import { type Caller, isTalking } from './caller-state.ts';
import type { Reply } from './reply-state.ts';
import { saidIn } from './said.ts';
import { changeCaller, type Step, type TurnState } from './state.ts';
import type { Recognised } from './types.ts';
import { textAfter } from './words.ts';

/** Limit from the end of speech to the final transcript. */
const FINAL_TIMEOUT_MS = 1_500;
/** The same for a recogniser with its own endpointing, which may wait longer for the caller to continue. */
const ENDPOINT_TIMEOUT_MS = 2_000;
/** A segment without audio time that began this recently is later than the words that arrive now. */
const TRANSPORT_MS = 500;
const MAX_FINAL_CHARS = 2_000;

export const waitForFinalMs = ({ partial }: Caller): number =>
  partial.turn === null ? FINAL_TIMEOUT_MS : ENDPOINT_TIMEOUT_MS;

/** The words of the recogniser's turn, or of the segment, that were taken already. */
export const takenText = ({ taken, segment }: Caller, turn: string | undefined): string =>
  taken?.turn === (turn ?? null) && (turn !== undefined || taken.segment === segment.number)
    ? taken.text
    : '';

/** The words without those that were taken already. */
export function untakenText(caller: Caller, { text, turn }: Recognised): string {
  const [trimmed, taken] = [text.trim(), takenText(caller, turn)];
  const rest = taken === '' ? trimmed : textAfter(trimmed, taken);
  return rest.slice(0, MAX_FINAL_CHARS);
}

/** The reply is prepared for words that the recogniser has not ended. */
export const isForOpenWords = ({ playing }: Reply): boolean =>
  playing.phase === 'prepared' && typeof playing.answers === 'object';

/** The reply is prepared for a turn of these words. */
export function isPreparedFor(
  { playing }: Reply,
  pieces: readonly string[],
  { settings }: TurnState,
): boolean {
  if (playing.phase !== 'prepared' || playing.answers === 'turn') return false;
  if (playing.answers === 'sound') return true;
  return saidIn(settings, playing.answers.words).hasSameWords(saidIn(settings, joinText(pieces)));
}

/**
 * A certain end makes the turn ready to commit, even during sound that the recogniser has processed. Sound that began
 * later belongs to the caller's next turn.
 */
export function reachEndpoint(step: Step, words: Recognised & { readonly certain?: boolean }): Step {
  const { caller } = step.state;
  if (words.certain !== true || caller.text === '') return step;
  const end = { certain: true, judged: caller.end.judged };
  if (!isTalking(caller)) return changeCaller(step, { end });
  if (beganAfter(caller, words)) return step;
  return changeCaller(step, { end, sound: IGNORED, quietSince: endOfWords(caller, words) });
}

function beganAfter({ segment }: Caller, { audioMs, at }: Recognised): boolean {
  if (segment.audioMs === null || audioMs === undefined) return at - segment.since < TRANSPORT_MS;
  return segment.audioMs >= audioMs;
}

function endOfWords({ segment }: Caller, { wordsEndMs, at }: Recognised): number {
  if (segment.audioMs === null || wordsEndMs === undefined) return at;
  return Math.min(at, Math.max(segment.since, segment.since + wordsEndMs - segment.audioMs));
}
