import { FRAME_MS } from '@callwright/audio';
import { joinText } from '../../sentences.ts';
import { hasWords, owedUntil } from '../segment.ts';
import { isTalking } from '../caller-state.ts';
import { isAudible } from '../reply-state.ts';
import type { TurnState } from '../state.ts';
import { NO_LIST } from '../phrase-set.ts';
import { beginsPhrase, consistsOf, hasWords as hasEnoughWords } from '../phrases.ts';
import { saidIn } from '../said.ts';

/** A stopped reply resumes this long after sound without words. */
const RESUME_MS = 900;
/** Words may come this much later than they usually do. */
const LATE_WORDS_MS = 80;
/** If the recogniser sends words during speech, the agent keeps speaking this much longer over a wordless sound. */
const WORDLESS_MS = 400;
/** A greeting that begins this soon after the answer is a pick-up. */
const PICK_UP_MS = 1_500;

/** Words that neither interrupt the current reply nor make a turn: backchannels, and those of a far talker. */
export const isHarmless = (state: TurnState, text: string): boolean =>
  (state.caller.far && isOverVoice(state)) ||
  consistsOf(saidIn(state.settings, text), ...harmlessPhrases(state));

/** The agent speaks, or was stopped in its sentence. */
export const isOverVoice = ({ reply }: TurnState): boolean =>
  reply?.playing.phase === 'suspended' || (reply?.playing.phase === 'released' && isAudible(reply));

/** Words so far that may become a backchannel, or the beginning of an interruption: the next word decides. */
export const isUndecided = (state: TurnState, text: string): boolean =>
  beginsPhrase(saidIn(state.settings, text), ...harmlessPhrases(state)) && !stopsAtOnce(state, text);

/** "Stop" and "one moment". */
const stopsAtOnce = ({ settings }: TurnState, text: string): boolean =>
  consistsOf(saidIn(settings, text), settings.waits ?? NO_LIST, settings.refusals ?? NO_LIST);

function harmlessPhrases({ settings, reply }: TurnState): (readonly string[])[] {
  const lists = [settings.backchannels];
  if (reply !== null && reply.ending !== null && settings.farewells) lists.push(settings.farewells);
  if (reply?.kind === 'greeting' && settings.greetings) lists.push(settings.greetings);
  return lists;
}

/** A greeting over the start of the first message. */
export const isPickUp = (state: TurnState, text: string): boolean =>
  state.call.phase === 'talking' &&
  state.reply?.kind === 'greeting' &&
  state.caller.segment.since - state.call.answeredAt <= PICK_UP_MS &&
  consistsOf(saidIn(state.settings, text), state.settings.greetings ?? NO_LIST);

/**
 * Whether the caller's words over the agent, with those before in the same turn, are enough to stop it. Two characters of
 * a script without spaces count as a word; "stop" and "one moment" are always enough.
 */
export function isEnoughWords(state: TurnState, text: string): boolean {
  if (stopsAtOnce(state, text)) return true;
  const { settings, caller } = state;
  const said = saidIn(settings, joinText([caller.text, text]));
  return hasEnoughWords(said, Math.max(1, settings.interruption.minWords));
}

/** The gate has not heard the word: it may be a recogniser's guess at a noise. A second one confirms it. */
export const isGuess = ({ settings, caller }: TurnState, text: string): boolean =>
  caller.sound.phase === 'soft' && !hasEnoughWords(saidIn(settings, text), 2);

/**
 * When sound over the agent's speech has lasted long enough to stop it without words. Where the recogniser sends words
 * during speech, a sound without any is hardly speech, and must last longer. A sound that may just have ended does not stop
 * the agent: the speech gate decides first.
 */
export function soundStopDue(state: TurnState): number | null {
  const { caller, reply, adapted } = state;
  if (reply?.playing.phase !== 'released' || !isAudible(reply) || isMuted(state)) return null;
  if (caller.sound.phase !== 'speaking' || caller.segment.isHarmless || caller.sound.isPaused) return null;
  // The frame after the last counted one shows whether the sound continues.
  return caller.segment.since + adapted.minSpeechMs + FRAME_MS + wordsWait(state);
}

/** How much longer the agent keeps speaking to wait for words, ms. */
function wordsWait(state: TurnState): number {
  const { caller, adapted } = state;
  const { minSpeechMs, wordsAfterMs } = adapted;
  if (wordsAfterMs === null) return 0;
  if (!hasWords(caller.segment) || isUndecided(state, caller.partial.text)) return WORDLESS_MS;
  return Math.min(Math.max(0, wordsAfterMs + LATE_WORDS_MS - minSpeechMs), WORDLESS_MS);
}

/** When a stop turns out to be a false alarm. */
export function resumeDue(state: TurnState): number | null {
  const { caller, reply } = state;
  if (reply?.playing.phase !== 'suspended' || isTalking(caller)) return null;
  const owed = owedUntil(caller.sound);
  return owed === null ? 0 : Math.min(caller.quietSince + RESUME_MS, owed);
}

/**
 * True while the caller cannot interrupt: the first message under `mute_during_intro`, any reply under
 * `mute_while_bot_speaking`, and a final goodbye. Words spoken meanwhile are kept for afterwards.
 */
export function isMuted(state: TurnState): boolean {
  const { reply, settings } = state;
  if (reply === null || reply.playing.phase === 'prepared') return false;
  if (reply.ending !== null && !reply.ending.cancellable) return true;
  if (reply.kind === 'greeting' && settings.muteDuringIntro) return true;
  return settings.muteWhileAgentSpeaks && isAudible(reply);
}
