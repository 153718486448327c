import { closeReply, dropReply, finishCall, stopSpeaking } from './closing.ts';
import { canReopen, reopenTurn } from './commit.ts';
import { splitHeard } from './heard.ts';
import { cutIn, falseInterruption, trueInterruption } from './policies/adapt.ts';
import { isMuted } from './policies/interruption.ts';
import { joinNumber } from './number-goes-on.ts';
import { advance } from './reply.ts';
import { lastWords, say, speakRest, suspend } from './speaking.ts';
import { suspendedCaller } from './caller-state.ts';
import { isAudible, isUnfinished, type Reply, type Stopped } from './reply-state.ts';
import { change, changeReply, type Step, type Words } from './state.ts';
import { callTools, quietTools } from './tools.ts';
import type { Heard, TurnEvent } from './types.ts';

/** Speech this soon after a commit means the wait was too short. */
const CUT_IN_MS = 1_000;

/**
 * A confirmed interruption: stops the agent, records what was heard and drops the rest. If nothing of the reply was heard
 * yet, the turn is reopened instead.
 */
export function takeFloor(step: Step, since: number, at: number): Step {
  const { reply } = step.state;
  if (reply === null || isMuted(step.state)) return step;
  if (reply.playing.phase === 'prepared') return dropReply(step);
  if (reply.playing.phase === 'suspended') return confirmInterruption(step, reply.playing.stopped, at);
  if (isAudible(reply)) return stopSpeaking(step, { kind: 'barge_in', confirmed: true, since }, at);
  if (canReopen(step)) return reopenTurn(step);
  return reply.kind === 'greeting' ? step : closeReply(step, at);
}

/** Sound that may be an interruption: stops the agent at once and waits for words. */
export const stopForSound = (step: Step, at: number): Step =>
  stopSpeaking(step, { kind: 'barge_in', confirmed: false, since: step.state.caller.segment.since }, at);

/** The session's answer to `stop_speaking`. Utterances it does not list were not played. */
export function onSpeakingStopped(step: Step, heard: readonly Heard[], at: number): Step {
  const { stopping } = step.state;
  if (stopping === null) return step;
  const stopped = change(markStopped(step, heard, at), { stopping: null });
  const { next } = stopping;
  switch (next.kind) {
    case 'barge_in': {
      const times = { since: next.since, at };
      return next.confirmed ? confirmInterruption(stopped, times, at) : suspend(stopped, times);
    }
    case 'end':
      return finishCall(stopped, next.reason, next.hangup, at);
    case 'say':
      return lastWords(closeReply(stopped, at), next.text, at, next.reason, next.closeBy);
    case 'hold':
      return suspend(stopped, null);
    case 'hush':
      return hushed(stopped, next.say, at);
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
    const report = heard.find((h) => h.utteranceId === u.id);
    const parts = report === undefined ? { heard: '', rest: u.text } : splitHeard(u.text, report);
    const startedAt = u.startedAt ?? (parts.heard === '' ? null : at);
    return { ...u, ...parts, status: 'stopped' as const, startedAt, endedAt: at };
  });
  return changeReply(step, { utterances });
}

/** Drops the rest of the utterance that was stuck while playing. */
function giveUpOn(step: Step, before: Reply | null): Step {
  const { reply } = step.state;
  if (reply === null) return step;
  const stuck = new Set(before?.utterances.filter((u) => u.status === 'playing').map((u) => u.id));
  return changeReply(step, {
    utterances: reply.utterances.map((u) => (stuck.has(u.id) ? { ...u, rest: '' } : u)),
  });
}

/** Confirms the interruption; a cancellable goodbye is dropped with its hangup. */
function confirmInterruption(step: Step, stopped: Stopped | null, at: number): Step {
  const { turn } = step.state;
  const times = stopped ?? { since: at, at };
  const soon = turn !== null && times.since - turn.committedAt <= CUT_IN_MS;
  // Keys and typed words have no pause.
  const pauseMs = turn?.keypad === null && !turn.typed ? times.since - turn.lastSoundAt : 0;
  const adapted = trueInterruption(soon ? cutIn(step, pauseMs) : step);
  const replyId = step.state.reply?.id ?? -1;
  const closed = quietTools(closeReply(adapted, at), replyId);
  const joined = joinNumber(closed, step.state.reply, times.since);
  return change(joined, {}, { type: 'interrupted', at: times.since, stoppedAt: times.at });
}

/** A false alarm: the agent speaks the rest. */
export const resume = (step: Step, at: number): Step => goOn(falseInterruption(step), at);

const goOn = (step: Step, at: number): Step => advance(callTools(speakRest(step, at), at), at);

/** Events of recognised sound: during hold they come from hold music. */
const SPEECH_EVENTS: ReadonlySet<TurnEvent['type']> = new Set([
  'speech_started',
  'speech_stopped',
  'speech_paused',
  'talker_far',
  'partial',
  'final',
  'eager',
  'endpoint_resumed',
  'turn_judged',
  'stt_nothing',
]);

export const isSpeechEvent = (event: TurnEvent): boolean => SPEECH_EVENTS.has(event.type);

/** Stops the agent's speech; the unplayed rest is kept for `resumeFromHold`. */
export function hold(step: Step, at: number): Step {
  if (step.state.held) return step;
  const caller = suspendedCaller(step.state.caller);
  const held = change(step, { held: true, caller });
  const { reply } = held.state;
  if (reply?.playing.phase === 'prepared') return dropReply(held);
  if (reply?.playing.phase !== 'released' || !reply.utterances.some(isUnfinished)) return held;
  return stopSpeaking(held, { kind: 'hold' }, at);
}

/** Restarts the silence timers and speaks the rest that the hold cut off. */
export function resumeFromHold(step: Step, at: number): Step {
  if (!step.state.held) return step;
  const back = change(step, { held: false, idle: { since: at, warned: false } });
  const { reply } = back.state;
  if (reply === null) return back;
  if (reply.playing.phase !== 'suspended') return changeReply(back, { requestedAt: at, activeAt: at });
  return advance(callTools(speakRest(changeReply(back, { activeAt: at }), at), at), at);
}

/** A machine answered: its speech is not a turn, and the agent does not speak on its own. */
export function onMachine(step: Step, before: 'machine' | 'screening', at: number): Step {
  const caller = suspendedCaller(step.state.caller);
  return hush(change(step, { attended: before, caller, keypad: null, startBy: null }), null, at);
}

/** Introduces the caller to a screening machine, then waits for a person; only the call's cap limits the wait. */
export const introduce = (step: Step, text: string, at: number): Step =>
  step.state.attended === 'screening' ? hush(step, { text }, at) : step;

/** A person took the screened call: restarts the silence timers. */
export function onPerson(step: Step, at: number): Step {
  if (step.state.attended !== 'screening') return step;
  const back = change(step, { attended: 'person', idle: { since: at, warned: false } });
  return back.state.reply?.playing.phase === 'prepared' ? dropReply(back) : closeReply(back, at);
}

/** Stops the agent's speech, except a final goodbye, and speaks `words` if given. */
export function hush(step: Step, words: Words | null, at: number): Step {
  const { reply } = step.state;
  if (reply?.ending?.cancellable === false) return step;
  if (reply?.playing.phase === 'prepared') return hushed(dropReply(step), words, at);
  if (reply?.playing.phase === 'released' && reply.utterances.some(isUnfinished)) {
    return stopSpeaking(step, { kind: 'hush', say: words }, at);
  }
  return hushed(step, words, at);
}

/** Records what was heard, drops the rest, then speaks `words` if given. */
function hushed(step: Step, words: Words | null, at: number): Step {
  const closed = closeReply(step, at);
  if (words === null) return closed;
  const { text, ...author } = words;
  return say(closed, text, at, { kind: 'phrase', ...author });
}
