import type { TurnEffect, TurnState } from '@callwright/turns';

/** True for sentences from the agent's settings or fixed phrases; false for the model's. */
export function hasFixedWords({ reply }: TurnState, effect: Extract<TurnEffect, { type: 'speak' }>): boolean {
  if (reply?.id !== effect.replyId) return false;
  const utterance = reply.utterances.find(({ id }) => id === effect.utteranceId);
  return reply.kind !== 'brain' || utterance?.isFiller === true;
}
