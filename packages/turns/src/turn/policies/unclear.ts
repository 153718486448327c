import { isUnrecognisable, keypadOffer } from '@callwright/language';
import { generate } from '../reply.ts';
import { say } from '../speaking.ts';
import { owedUntil } from '../segment.ts';
import { isTalking } from '../caller-state.ts';
import { change, isFloorFree, type Step, type TurnState } from '../state.ts';
import { takeFloor } from '../stop.ts';
import { noteUnclear, recordUnclear } from './hearing.ts';
import { languageNow, phrasesNow } from './wording.ts';

/** From this consecutive miss on, the brain rephrases its question. */
const BRAIN_ASKS_AT = 3;

/** Confirms an interruption without words: the caller has the floor, and the turn counts as not understood. */
export const interruptUnclearly = (step: Step, at: number): Step =>
  noteUnclear(takeFloor(step, step.state.caller.segment.since, at));

/** When the unclear turn is over: after the same silence as a turn with words. */
export function unclearDue(state: TurnState): number | null {
  const { caller, keypad, reply } = state;
  if (!caller.unclear || caller.text !== '' || keypad !== null || reply !== null) return null;
  if (state.startBy !== null) return null;
  if (isTalking(caller) || owedUntil(caller.sound) !== null || !isFloorFree(state)) return null;
  return caller.quietSince + state.adapted.defaultMs;
}

/**
 * Answers a turn without words. The agent repeats a question that speech can answer, then offers keys; after that, or when
 * speech cannot answer it, the brain continues and sees in the history that the caller was not understood.
 */
export function answerUnclear(step: Step, at: number): Step {
  const missed = step.state.missed + 1;
  const noted = change(recordUnclear(step), { missed, idle: { since: at, warned: false } });
  const { settings, expected } = noted.state;
  const { hears } = settings;
  const phrases = phrasesNow(noted.state);
  if (hears === 'phrases' && isUnrecognisable(expected)) return generate(noted, at, { speculative: false });
  if (hears === 'phrases' && missed === 1) return say(noted, phrases.didNotCatch, at, { kind: 'phrase' });
  const offer =
    settings.keys?.enabled === false ? '' : keypadOffer(expected, languageNow(noted.state), hears === 'keys');
  if (missed >= BRAIN_ASKS_AT || offer === '') return generate(noted, at, { speculative: false });
  const text = hears === 'keys' ? offer : `${phrases.didNotCatch} ${offer}`;
  return say(noted, text, at, { kind: 'phrase' });
}
