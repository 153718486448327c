import { isAudible, isTalking, type TurnState } from '../state.ts';
import { consistsOf, wordsOf } from '../words.ts';
import { isMuted } from './mute.ts';

/** A stop for sound is taken back this long after the sound ended without words. */
const RESUME_MS = 900;
/** "Hello" that begins this soon is picking up the phone. */
const PICK_UP_MS = 1_500;

/** Words that never interrupt what is being said now, and are no turn of their own. */
export function isHarmless(state: TurnState, text: string): boolean {
  const { settings, reply } = state;
  const lists = [settings.backchannels];
  if (reply !== null && reply.ending !== null && settings.farewells) lists.push(settings.farewells);
  if (reply?.kind === 'greeting' && settings.greetings) lists.push(settings.greetings);
  return consistsOf(text, ...lists);
}

/** The caller says hello into the first message, as one does on picking up. */
export const isPickUp = (state: TurnState, text: string): boolean =>
  state.call.phase === 'talking' &&
  state.reply?.kind === 'greeting' &&
  state.caller.segmentSince - state.call.answeredAt <= PICK_UP_MS &&
  consistsOf(text, state.settings.greetings ?? []);

export const isEnoughWords = (state: TurnState, text: string): boolean =>
  wordsOf(text).length >= Math.max(1, state.settings.interruption.minWords);

/** When sound over the agent's voice has lasted long enough to stop it, words or not. */
export function soundStopDue(state: TurnState): number | null {
  const { caller, reply, adapted } = state;
  if (reply?.phase !== 'released' || !isAudible(reply) || isMuted(state)) return null;
  if (!isTalking(caller) || caller.segmentHarmless) return null;
  return caller.segmentSince + adapted.minSpeechMs;
}

/** When a stop proves to have been for nothing. */
export function resumeDue(state: TurnState): number | null {
  const { caller, reply } = state;
  if (reply?.phase !== 'suspended' || isTalking(caller)) return null;
  return caller.awaitingUntil === null ? 0 : Math.min(caller.quietSince + RESUME_MS, caller.awaitingUntil);
}
