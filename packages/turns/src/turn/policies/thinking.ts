import { speak } from '../speaking.ts';
import { isDone } from '../reply-state.ts';
import type { Step, TurnState } from '../state.ts';
import { drawFiller, FILLER_AFTER_MS } from './filler.ts';
import { phrasesNow } from './wording.ts';

/** Silence before a filler phrase: with its synthesis, the caller waits at most 2.5 s. */
const SILENCE_MS = 1_700;
/** A model gets at least this long before a filler. */
const MODEL_MS = 700;

/** When a filler is due for a released reply without a sentence: earlier if one of the agent's own phrases is drawn. */
export function thinkingDue(state: TurnState): number | null {
  const { reply, turn, idle } = state;
  if (reply?.kind !== 'brain' || reply.playing.phase !== 'released' || isDone(reply) || turn === null)
    return null;
  if (reply.utterances.length > 0 || reply.calledTools) return null;
  const lastSoundAt = turn.phase !== 'open' ? idle.since : turn.lastSoundAt;
  const soon = drawFiller(state) === null ? Infinity : reply.playing.releasedAt + FILLER_AFTER_MS;
  const late = Math.max(lastSoundAt + SILENCE_MS, reply.playing.releasedAt + MODEL_MS);
  return Math.max(Math.min(soon, late), (reply.firstTextAt ?? 0) + MODEL_MS);
}

export const fillThinking = (step: Step, at: number): Step =>
  speak(step, drawFiller(step.state) ?? phrasesNow(step.state).oneMoment, at, { isFiller: true });
