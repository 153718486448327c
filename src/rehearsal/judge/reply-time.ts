import type { PlayedCall } from '../play/rehearsal.ts';

/** Mean time from a turn of the caller to the agent's next sound, of turns that the agent answers, ms; null: it answers none. */
export function meanReplyMs({ caller, agent }: Pick<PlayedCall, 'caller' | 'agent'>): number | null {
  const times = caller
    .filter(({ kind }) => kind === 'turn' || kind === 'interruption')
    .flatMap(({ to }) => {
      const reply = agent.find(({ from }) => from >= to);
      const goesOn = caller.some(({ from }) => from >= to && from < (reply?.from ?? 0));
      return reply === undefined || goesOn ? [] : [reply.from - to];
    });
  return times.length === 0 ? null : times.reduce((sum, ms) => sum + ms, 0) / times.length;
}
