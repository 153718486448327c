import { reportLatency } from './latency.ts';
import { acceptReply, advance } from './reply.ts';
import { changeReply, isUnfinished, type Step, type Utterance } from './state.ts';
import { sealTurn } from './transcript.ts';

function patch(step: Step, utteranceId: number, change: (u: Utterance) => Utterance): Step | null {
  const { reply } = step.state;
  const found = reply?.utterances.find((u) => u.id === utteranceId);
  if (reply === null || found === undefined || reply.phase !== 'released') return null;
  // A late sound of an utterance given up as lost is sound all the same.
  if (!isUnfinished(found) && found.status !== 'failed') return null;
  return changeReply(step, { utterances: reply.utterances.map((u) => (u === found ? change(u) : u)) });
}

/** The first packet of an utterance went out: the caller hears the agent, so the turn before is final. */
export function onUtteranceStarted(step: Step, utteranceId: number, at: number): Step {
  const next = patch(step, utteranceId, (u) => ({ ...u, status: 'playing', startedAt: at, rest: u.text }));
  return next === null ? step : acceptReply(reportLatency(sealTurn(next), at));
}

export function onUtteranceEnded(step: Step, utteranceId: number, at: number): Step {
  const next = patch(step, utteranceId, (u) => ({
    ...u,
    status: 'played',
    startedAt: u.startedAt ?? at,
    endedAt: at,
    heard: u.text,
    rest: '',
  }));
  return next === null ? step : advance(acceptReply(sealTurn(next)), at);
}
