import type { PlayedCall } from '../play/rehearsal.ts';

/** How the two sides of a call take turns: counts, and times in ms. */
export interface Interaction {
  /** Turns of the caller that need a reply, and the time to it of those that got one. */
  readonly turns: number;
  readonly replyMs: readonly number[];
  /** Interruptions of the agent, and how long it spoke on where it fell silent before the caller did. */
  readonly interruptions: number;
  readonly yieldMs: readonly number[];
  /** Turns of the caller over which the agent began to speak. */
  readonly talkedOver: number;
  /** Murmurs into the agent's speech, and those after which it spoke on. */
  readonly murmurs: number;
  readonly spokeOn: number;
}

/** The turn taking of one call. */
export function interactionOf({ agent, caller }: Pick<PlayedCall, 'agent' | 'caller'>): Interaction {
  const turns = caller.filter(({ kind }) => kind === 'turn' || kind === 'interruption');
  const owed = turns.flatMap((turn, at) => {
    const next = turns[at + 1]?.from ?? Number.POSITIVE_INFINITY;
    const reply = agent.find(({ from }) => from >= turn.to);
    return reply === undefined || reply.from < next ? [{ turn, reply }] : [];
  });
  const into = (kind: 'interruption' | 'backchannel') =>
    caller
      .filter((sound) => sound.kind === kind)
      .flatMap((sound) => {
        const speech = agent.find(({ from, to }) => from < sound.from && to > sound.from);
        return speech === undefined ? [] : [{ sound, speech }];
      });
  const interruptions = into('interruption');
  const murmurs = into('backchannel');
  return {
    turns: owed.length,
    replyMs: owed.flatMap(({ turn, reply }) => (reply === undefined ? [] : [reply.from - turn.to])),
    interruptions: interruptions.length,
    yieldMs: interruptions
      .filter(({ sound, speech }) => speech.to <= sound.to)
      .map(({ sound, speech }) => speech.to - sound.from),
    talkedOver: turns.filter((turn) => agent.some(({ from }) => from > turn.from && from < turn.to)).length,
    murmurs: murmurs.length,
    spokeOn: murmurs.filter(({ speech }) => !speech.cut).length,
  };
}

/** The figures of tau2-bench's voice interaction panel; null: nothing of the kind happened. Shares from 0 to 1. */
export interface Panel {
  readonly responseRate: number | null;
  readonly responseMs: number | null;
  readonly yieldRate: number | null;
  readonly yieldMs: number | null;
  readonly agentInterruptionRate: number | null;
  readonly backchannelRate: number | null;
}

const share = (part: number, of: number): number | null => (of === 0 ? null : part / of);
const sum = (list: readonly number[]): number => list.reduce((all, each) => all + each, 0);

export function panelOf(calls: readonly Interaction[]): Panel {
  const total = (of: (call: Interaction) => number): number => sum(calls.map(of));
  const replies = calls.flatMap(({ replyMs }) => replyMs);
  const yields = calls.flatMap(({ yieldMs }) => yieldMs);
  const turns = total((call) => call.turns);
  const interruptions = total((call) => call.interruptions);
  return {
    responseRate: share(replies.length, turns),
    responseMs: share(sum(replies), replies.length),
    yieldRate: share(yields.length, interruptions),
    yieldMs: share(sum(yields), yields.length),
    agentInterruptionRate: share(
      total((call) => call.talkedOver),
      turns,
    ),
    backchannelRate: share(
      total((call) => call.spokeOn),
      total((call) => call.murmurs),
    ),
  };
}
