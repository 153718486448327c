import { joinText } from '../sentences.ts';
import { changeCaller, isTalking, type Caller, type Reply, type Step } from './state.ts';
import type { Recognised } from './types.ts';
import { normalised, textAfter } from './words.ts';

/** Limit from the end of speech to the final transcript. */
const FINAL_TIMEOUT_MS = 1_500;
/** The same for a recogniser that ends turns itself: it may wait longer for the caller to go on. */
const ENDPOINT_TIMEOUT_MS = 2_000;
/** A segment without audio time that began this recently is later than the words that arrive now. */
const TRANSPORT_MS = 500;
const MAX_FINAL_CHARS = 2_000;

export const waitForFinalMs = ({ partialTurn }: Caller): number =>
  partialTurn === null ? FINAL_TIMEOUT_MS : ENDPOINT_TIMEOUT_MS;

/** The words of the recogniser's turn, or of the segment, that were taken already. */
export const takenText = ({ taken, segment }: Caller, turn: string | undefined): string =>
  taken?.turn === (turn ?? null) && (turn !== undefined || taken.segment === segment) ? taken.text : '';

/** The words without those that were taken already. */
export function untakenText(caller: Caller, { text, turn }: Recognised): string {
  const [trimmed, taken] = [text.trim(), takenText(caller, turn)];
  const rest = taken === '' ? trimmed : textAfter(trimmed, taken);
  return rest.slice(0, MAX_FINAL_CHARS);
}

export const isPreparedFor = ({ answers, hears }: Reply, pieces: readonly string[]): boolean =>
  hears === true || (answers !== null && normalised(answers) === normalised(joinText(pieces)));

/**
 * A certain end makes the turn ready to commit, also while sound goes on that the recogniser has listened to. Sound that
 * began later belongs to the caller's next words.
 */
export function reachEndpoint(step: Step, words: Recognised & { readonly certain?: boolean }): Step {
  const { caller } = step.state;
  if (words.certain !== true || caller.text === '') return step;
  if (!isTalking(caller)) return changeCaller(step, { certain: true });
  if (beganAfter(caller, words)) return step;
  return changeCaller(step, { certain: true, ignored: true, quietSince: endOfWords(caller, words) });
}

function beganAfter({ segmentAudioMs, segmentSince }: Caller, { audioMs, at }: Recognised): boolean {
  if (segmentAudioMs === null || audioMs === undefined) return at - segmentSince < TRANSPORT_MS;
  return segmentAudioMs >= audioMs;
}

function endOfWords({ segmentAudioMs, segmentSince }: Caller, { wordsEndMs, at }: Recognised): number {
  if (segmentAudioMs === null || wordsEndMs === undefined) return at;
  return Math.min(at, Math.max(segmentSince, segmentSince + wordsEndMs - segmentAudioMs));
}
