import { dropReply, stopSpeaking } from './closing.ts';
import { advance } from './reply.ts';
import { speakRest } from './speaking.ts';
import { change, changeReply, clearedCaller, isUnfinished, type Step } from './state.ts';
import { callTools } from './tools.ts';
import type { TurnEvent } from './types.ts';

/** What is heard during hold is music, not the caller. */
const OF_THE_CALLER: ReadonlySet<TurnEvent['type']> = new Set([
  'speech_started',
  'speech_stopped',
  'partial',
  'final',
  'stt_nothing',
]);

export const isUnheard = (held: boolean, event: TurnEvent): boolean => held && OF_THE_CALLER.has(event.type);

/** Words nobody hears are kept: the agent stops and goes on where it was when the call is taken back. */
export function hold(step: Step, at: number): Step {
  if (step.state.held) return step;
  const caller = { ...clearedCaller(step.state.caller), speaking: false };
  const held = change(step, { held: true, caller });
  const { reply } = held.state;
  if (reply?.phase === 'prepared') return dropReply(held);
  if (reply?.phase !== 'released' || !reply.utterances.some(isUnfinished)) return held;
  return stopSpeaking(held, { kind: 'hold' }, at);
}

/** Silence is counted anew, and what was cut off by the hold is said. */
export function takeBack(step: Step, at: number): Step {
  if (!step.state.held) return step;
  const back = change(step, { held: false, idle: { since: at, warned: false } });
  const { reply } = back.state;
  if (reply === null) return back;
  if (reply.phase !== 'suspended') return changeReply(back, { askedAt: at, activeAt: at });
  return advance(callTools(speakRest(changeReply(back, { activeAt: at }), at), at), at);
}
