import { speak } from '../speaking.ts';
import type { Step, TurnState } from '../state.ts';

/** The caller hears a filler this long after their last sound, so that they wait at most 2.5 s with its synthesis. */
const SILENCE_MS = 1_700;
/** A model that has this little time yet is not slow. */
const MODEL_MS = 700;

/** When the wait for the model is filled: the reply is due, and not one of its sentences has begun. */
export function thinkingDue({ reply, turn, idle }: TurnState): number | null {
  if (reply?.kind !== 'brain' || reply.phase !== 'released' || reply.done || turn === null) return null;
  if (reply.utterances.length > 0 || reply.calledTools) return null;
  const lastSoundAt = turn.sealed ? idle.since : turn.lastSoundAt;
  return Math.max(
    lastSoundAt + SILENCE_MS,
    (reply.releasedAt ?? 0) + MODEL_MS,
    (reply.firstTextAt ?? 0) + MODEL_MS,
  );
}

export const fillThinking = (step: Step, at: number): Step =>
  speak(step, step.state.settings.phrases.oneMoment, at, { isFiller: true });
