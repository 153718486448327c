import { joinText } from '../../sentences.ts';
import { hasWords, owedUntil } from '../segment.ts';
import { isTalking } from '../caller-state.ts';
import { isFloorFree, type TurnState } from '../state.ts';
import { saidIn } from '../said.ts';
import { closureOf, type Closure } from './closure.ts';
import { isWhole, turnWait } from './turn-wait.ts';

/** Words unchanged for this long end a turn even if the line never gets quiet. */
const STUCK_WORDS_MS = 3_000;

/** The wait after the caller's words so far. */
export const closureWait = (state: TurnState): number => waitFor(state, closureNow(state));

/** Judges the caller's words so far. */
const closureNow = (state: TurnState): Closure => closureByWords(state, state.caller.text);

/** Judges words against the agent's last line. */
function closureByWords({ settings, expected, history }: TurnState, text: string): Closure {
  const line = history.findLast((item) => item.role === 'agent');
  return closureOf(saidIn(settings, text), settings, expected, line?.role === 'agent' ? line.text : '');
}

/** The caller's words so far look whole, or their sound makes up for it. */
export function looksWhole(state: TurnState): boolean {
  const closure = closureNow(state);
  return isWhole(closure) || waitFor(state, closure) < state.adapted.defaultMs;
}

/** The caller's words so far are a number of unknown length. */
export const isOpenNumber = (state: TurnState): boolean =>
  state.keypad === null && closureNow(state) === 'number';

/** Silence before the caller's words are committed, ms. */
function waitFor({ settings, adapted, caller }: TurnState, closure: Closure): number {
  const { patientMs, pauseMs, holdMs } = settings.endpointing;
  const { questionMs, completeMs, defaultMs } = adapted;
  const { pausedMs } = caller.earlier;
  const waits = { questionMs, completeMs, defaultMs, patientMs, pauseMs, holdMs, pausedMs };
  return turnWait(closure, caller.end.judged, waits);
}

/** The caller is quiet, no final is pending, and there are words. */
const hasRested = ({ caller }: TurnState): boolean =>
  caller.text !== '' && !isTalking(caller) && owedUntil(caller.sound) === null;

/** If the caller will continue, the reply is prepared only this long before the wait ends. */
const PREPARED_AHEAD_MS = 700;

/** When to prepare a reply before the commit. */
export function prepareDue(state: TurnState): number | null {
  const { caller, settings, reply, keypad } = state;
  if (reply !== null || keypad !== null || caller.preparing.failed || !hasRested(state)) return null;
  if (state.startBy !== null) return null;
  const closure = closureNow(state);
  if (caller.end.certain && !announcesMore(closure)) return null;
  const { prepareMs } = settings.endpointing;
  const wait = waitFor(state, closure);
  const soundsOpen = caller.end.judged !== null && wait > settings.endpointing.patientMs;
  const isLate = announcesMore(closure) || closure === 'unfinished' || soundsOpen;
  const waits = isLate ? wait - PREPARED_AHEAD_MS : 0;
  return caller.quietSince + Math.max(prepareMs, waits);
}

/** Replies to words that the recogniser has not ended, in one turn. */
const MOST_ANTICIPATED = 3;

/** The caller's words with those that the recogniser has not ended. */
export const wordsSoFar = ({ caller }: TurnState): string => joinText([caller.text, caller.partial.text]);

/**
 * Due at once when the caller is quiet after words that look whole, although the recogniser has not ended them: the reply is
 * prepared while it does, and dropped if they turn out to be others. A recogniser with turns announces their ends itself.
 */
export function anticipateDue(state: TurnState): number | null {
  const { caller, reply, keypad, startBy } = state;
  if (reply !== null || keypad !== null || startBy !== null || caller.preparing.failed) return null;
  if (caller.partial.text === '' || caller.partial.turn !== null) return null;
  if (caller.sound.phase === 'speaking' && !caller.sound.isPaused) return null;
  if (caller.preparing.words.length >= MOST_ANTICIPATED) return null;
  const words = wordsSoFar(state);
  if (!isWhole(closureByWords(state, words))) return null;
  return caller.preparing.words.includes(saidIn(state.settings, words).words.join(' ')) ? null : 0;
}

/** The caller will or may continue, however certain the recogniser is that the turn is over. */
const announcesMore = (closure: Closure): boolean =>
  closure === 'dictating' || closure === 'number' || closure === 'waiting';

/** When the caller's words are committed as a turn. */
export function commitDue(state: TurnState): number | null {
  if (!isFloorFree(state) || state.keypad !== null || state.startBy !== null || !hasRested(state))
    return null;
  const closure = closureNow(state);
  const isOver = state.caller.end.certain && !announcesMore(closure);
  return isOver ? 0 : state.caller.quietSince + waitFor(state, closure);
}

/** When a turn is committed whose words have ended but whose sound continues. */
export function stuckWordsDue(state: TurnState): number | null {
  const { caller } = state;
  const { sound, segment } = caller;
  if (sound.phase !== 'speaking' || !hasWords(segment) || !isFloorFree(state) || state.startBy !== null)
    return null;
  if (caller.text === '' && caller.partial.text === '') return null;
  return Math.max(sound.changedAt, segment.since) + STUCK_WORDS_MS;
}
