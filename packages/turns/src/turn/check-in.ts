import { phrasesNow } from './policies/wording.ts';
import { say } from './speaking.ts';
import { GENERATING, newReply, type Reply } from './reply-state.ts';
import { change, type Step } from './state.ts';

/** The brain must word a check-in within this, else the phrase is spoken. */
export const CHECK_IN_MS = 1_500;

export const sayCheckIn = (step: Step, at: number): Step =>
  say(step, phrasesNow(step.state).idleCheckIn, at, { kind: 'check_in' });

/** Requests a check-in from the brain: a reply to silence, whose tools and memory are ignored. */
export function askToCheckIn(step: Step, at: number): Step {
  const { history, memory, nextReplyId } = step.state;
  const reply: Reply = {
    ...newReply(nextReplyId, 'check_in', { phase: 'released', releasedAt: at }, at),
    stream: GENERATING,
  };
  return change(
    step,
    { reply, nextReplyId: nextReplyId + 1 },
    {
      type: 'generate',
      replyId: reply.id,
      history: [...history, { role: 'silence' }],
      memory,
      speculative: false,
    },
    { type: 'release', replyId: reply.id },
  );
}

/** A check-in for which the brain sent no words. */
export const isWordlessCheckIn = ({ kind, utterances }: Reply): boolean =>
  kind === 'check_in' && utterances.length === 0;
