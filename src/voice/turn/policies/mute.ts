import { isAudible, type TurnState } from '../state.ts';

/**
 * True while nothing the caller does stops the agent: the first message under `mute_during_intro`, any reply
 * under `mute_while_bot_speaking`, and a goodbye that is final. Words said meanwhile are kept for afterwards.
 */
export function isMuted(state: TurnState): boolean {
  const { reply, settings } = state;
  if (reply === null || reply.phase === 'prepared') return false;
  if (reply.ending !== null && !reply.ending.cancellable) return true;
  if (reply.kind === 'greeting' && settings.muteDuringIntro) return true;
  return settings.muteWhileAgentSpeaks && isAudible(reply);
}
