import type { PlayedCall } from '../play/rehearsal.ts';

/**
 * Mean time from a turn of the caller to the agent's reply, of turns that the agent answers, ms; null: it answers none. Words that only
 * fill the wait ("One moment, please.") are no reply.
 */
export function meanReplyMs({
  caller,
  agent,
  settings,
}: Pick<PlayedCall, 'caller' | 'agent' | 'settings'>): number | null {
  const { oneMoment, otherMoments = [] } = settings.phrases;
  const fillers = new Set([oneMoment, ...otherMoments]);
  const replies = agent.filter(({ text }) => !fillers.has(text));
  const times = caller
    .filter(({ kind }) => kind === 'turn' || kind === 'interruption')
    .flatMap(({ to }) => {
      const reply = replies.find(({ from }) => from >= to);
      const goesOn = caller.some(({ from }) => from >= to && from < (reply?.from ?? 0));
      return reply === undefined || goesOn ? [] : [reply.from - to];
    });
  return times.length === 0 ? null : times.reduce((sum, ms) => sum + ms, 0) / times.length;
}
