import type { TurnEffect, TurnState } from '@callwright/turns';

/** Whether the agent's settings or our phrases have the words of a sentence, not the model. */
export function hasFixedWords({ reply }: TurnState, effect: Extract<TurnEffect, { type: 'speak' }>): boolean {
  if (reply?.id !== effect.replyId) return false;
  const utterance = reply.utterances.find(({ id }) => id === effect.utteranceId);
  return reply.kind !== 'brain' || utterance?.isFiller === true;
}
