import { isAudible, isTalking, type TurnState } from '../state.ts';
import { consistsOf, wordsOf } from '../words.ts';

/** A stopped reply resumes this long after sound without words. */
const RESUME_MS = 900;
/** A greeting that begins this soon after the answer is a pick-up. */
const PICK_UP_MS = 1_500;

/** Words that neither interrupt the current reply nor make a turn. */
export function isHarmless(state: TurnState, text: string): boolean {
  const { settings, reply } = state;
  const lists = [settings.backchannels];
  if (reply !== null && reply.ending !== null && settings.farewells) lists.push(settings.farewells);
  if (reply?.kind === 'greeting' && settings.greetings) lists.push(settings.greetings);
  return consistsOf(text, ...lists);
}

/** A greeting over the start of the first message. */
export const isPickUp = (state: TurnState, text: string): boolean =>
  state.call.phase === 'talking' &&
  state.reply?.kind === 'greeting' &&
  state.caller.segmentSince - state.call.answeredAt <= PICK_UP_MS &&
  consistsOf(text, state.settings.greetings ?? []);

export const isEnoughWords = (state: TurnState, text: string): boolean =>
  wordsOf(text).length >= Math.max(1, state.settings.interruption.minWords);

/** When sound over the agent's speech has lasted long enough to stop it, even without words. */
export function soundStopDue(state: TurnState): number | null {
  const { caller, reply, adapted } = state;
  if (reply?.phase !== 'released' || !isAudible(reply) || isMuted(state)) return null;
  if (!isTalking(caller) || caller.segmentHarmless) return null;
  return caller.segmentSince + adapted.minSpeechMs;
}

/** When a stop turns out to be a false alarm. */
export function resumeDue(state: TurnState): number | null {
  const { caller, reply } = state;
  if (reply?.phase !== 'suspended' || isTalking(caller)) return null;
  return caller.awaitingUntil === null ? 0 : Math.min(caller.quietSince + RESUME_MS, caller.awaitingUntil);
}

/**
 * True while the caller cannot interrupt: the first message under `mute_during_intro`, any reply under
 * `mute_while_bot_speaking`, and a final goodbye. Words spoken meanwhile are kept for afterwards.
 */
export function isMuted(state: TurnState): boolean {
  const { reply, settings } = state;
  if (reply === null || reply.phase === 'prepared') return false;
  if (reply.ending !== null && !reply.ending.cancellable) return true;
  if (reply.kind === 'greeting' && settings.muteDuringIntro) return true;
  return settings.muteWhileAgentSpeaks && isAudible(reply);
}
