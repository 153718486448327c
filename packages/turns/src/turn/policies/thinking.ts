import { speak } from '../speaking.ts';
import { isDone } from '../reply-state.ts';
import { change, type Step, type TurnState } from '../state.ts';
import { drawFiller, momentNow } from './filler.ts';

/** Silence before a filler: with its synthesis the caller hears something within 1.2 s of their last sound. */
const SILENCE_MS = 1_000;
/** The wait for the rest of a sentence that the model has begun. */
const BEGUN_MS = 120;
/** A turn that ends after that silence leaves the model this long. */
const LATE_MODEL_MS = 300;

/** When a filler is due for a released reply without a sentence. */
export function thinkingDue({ reply, turn, idle }: TurnState): number | null {
  if (reply?.kind !== 'brain' || reply.playing.phase !== 'released' || isDone(reply) || turn === null)
    return null;
  if (reply.utterances.length > 0 || reply.calledTools) return null;
  const due = (turn.phase !== 'open' ? idle.since : turn.lastSoundAt) + SILENCE_MS;
  const { releasedAt } = reply.playing;
  const from = releasedAt <= due ? due : releasedAt + LATE_MODEL_MS;
  return reply.firstTextAt === null ? from : from + BEGUN_MS;
}

/** Says one of the agent's own phrases when one is drawn, else one of the turn machine's. */
export function fillThinking(step: Step, at: number): Step {
  const text = drawFiller(step.state) ?? momentNow(step.state);
  return speak(change(step, { lastFiller: text }), text, at, { isFiller: true });
}
