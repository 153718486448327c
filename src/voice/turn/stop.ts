import { hushed } from './attended.ts';
import { closeReply, dropReply, finishCall, stopSpeaking } from './closing.ts';
import { canReopen, reopenTurn } from './commit.ts';
import { splitHeard } from './heard.ts';
import { cutIn, falseInterruption, trueInterruption } from './policies/adapt.ts';
import { isMuted } from './policies/mute.ts';
import { advance } from './reply.ts';
import { lastWords, speakRest } from './speaking.ts';
import { change, changeReply, isAudible, isUnfinished, type Reply, type Step } from './state.ts';
import { callTools, quietTools } from './tools.ts';
import type { Heard } from './types.ts';

/** The caller spoke again this soon after the commit: the wait was too short. */
const CUT_IN_MS = 1_000;

/**
 * The caller takes the floor for certain: the agent stops, what was heard goes on record, the rest is
 * forgotten. A turn whose reply was not heard yet is opened again instead.
 */
export function takeFloor(step: Step, since: number, at: number): Step {
  const { reply } = step.state;
  if (reply === null || isMuted(step.state)) return step;
  if (reply.phase === 'prepared') return dropReply(step);
  if (reply.phase === 'suspended') return confirmInterruption(step, at);
  if (isAudible(reply)) return stopSpeaking(step, { kind: 'barge_in', confirmed: true, since }, at);
  if (canReopen(step)) return reopenTurn(step);
  return reply.kind === 'greeting' ? step : closeReply(step, at);
}

/** Sound of the caller that may be an interruption: silence at once, and wait for the words. */
export const stopForSound = (step: Step, at: number): Step =>
  stopSpeaking(step, { kind: 'barge_in', confirmed: false, since: step.state.caller.segmentSince }, at);

/** The session's answer to `stop_speaking`. Utterances it does not mention were not heard. */
export function onSpeakingStopped(step: Step, heard: readonly Heard[], at: number): Step {
  const { stopping } = step.state;
  if (stopping === null) return step;
  const stopped = change(markStopped(step, heard, at), { stopping: null });
  switch (stopping.kind) {
    case 'barge_in': {
      const noted = change(stopped, { stopped: { since: stopping.since, at } });
      return stopping.confirmed ? confirmInterruption(noted, at) : changeReply(noted, { phase: 'suspended' });
    }
    case 'end':
      return finishCall(stopped, stopping.reason, stopping.hangup, at);
    case 'say':
      return lastWords(closeReply(stopped, at), stopping.text, at, stopping.reason, stopping.closeBy);
    case 'hold':
      return changeReply(stopped, { phase: 'suspended' });
    case 'hush':
      return hushed(stopped, stopping.say, at);
    case 'skip':
      break;
  }
  return goOn(giveUpOn(stopped, step.state.reply), at);
}

function markStopped(step: Step, heard: readonly Heard[], at: number): Step {
  const { reply } = step.state;
  if (reply === null) return step;
  const utterances = reply.utterances.map((u) => {
    if (!isUnfinished(u)) return u;
    const told = heard.find((h) => h.utteranceId === u.id);
    const parts = told === undefined ? { heard: '', rest: u.text } : splitHeard(u.text, told);
    const startedAt = u.startedAt ?? (parts.heard === '' ? null : at);
    return { ...u, ...parts, status: 'stopped' as const, startedAt, endedAt: at };
  });
  return changeReply(step, { utterances });
}

/** What was playing when the stop came never ends by itself: its rest is not said again. */
function giveUpOn(step: Step, before: Reply | null): Step {
  const { reply } = step.state;
  if (reply === null) return step;
  const stuck = new Set(before?.utterances.filter((u) => u.status === 'playing').map((u) => u.id));
  return changeReply(step, {
    utterances: reply.utterances.map((u) => (stuck.has(u.id) ? { ...u, rest: '' } : u)),
  });
}

/** It was an interruption. A goodbye in progress is called off with its hangup. */
function confirmInterruption(step: Step, at: number): Step {
  const { stopped, turn } = step.state;
  const times = stopped ?? { since: at, at };
  const soon = turn !== null && times.since - turn.committedAt <= CUT_IN_MS;
  const learnt = trueInterruption(soon ? cutIn(step) : step);
  const replyId = step.state.reply?.id ?? -1;
  const closed = quietTools(closeReply(learnt, at), replyId);
  return change(closed, {}, { type: 'interrupted', at: times.since, stoppedAt: times.at });
}

/** It was none: the agent says what was left unheard. */
export const resume = (step: Step, at: number): Step => goOn(falseInterruption(step), at);

const goOn = (step: Step, at: number): Step => advance(callTools(speakRest(step, at), at), at);
