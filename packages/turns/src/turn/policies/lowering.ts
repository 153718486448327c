import { isTalking } from '../caller-state.ts';
import { isAudible, isUnfinished } from '../reply-state.ts';
import { change, type Step, type TurnState } from '../state.ts';
import { isMuted } from './interruption.ts';

/** Sound over the agent's speech that may become an interruption. */
function mayInterrupt(state: TurnState): boolean {
  const { reply, caller } = state;
  if (reply?.playing.phase !== 'released' || !isAudible(reply) || !reply.utterances.some(isUnfinished))
    return false;
  return isTalking(caller) && !caller.segment.isHarmless && !isMuted(state);
}

/** When the agent gives way: its voice is lowered before it is certain that the sound is an interruption. */
export function loweringDue(state: TurnState): number | null {
  const { caller, settings, adapted, voice } = state;
  if (voice !== 'full' || !mayInterrupt(state)) return null;
  const { lowerMs, minSpeechMs } = settings.interruption;
  return caller.segment.since + lowerMs + Math.max(0, adapted.minSpeechMs - minSpeechMs);
}

/** The sound ended or was a backchannel: the voice is raised at once. */
export const raisingDue = (state: TurnState): number | null =>
  state.voice === 'lowered' && !mayInterrupt(state) ? 0 : null;

export const lowerVoice = (step: Step): Step =>
  change(step, { voice: 'lowered' }, { type: 'lower_voice', isLow: true });

export const raiseVoice = (step: Step): Step =>
  change(step, { voice: 'full' }, { type: 'lower_voice', isLow: false });
