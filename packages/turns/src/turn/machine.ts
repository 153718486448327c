import { changeInterruption } from './policies/adapt.ts';
import { onReplyDone, onReplyFailed, onReplyText, onReplyTool } from './brain.ts';
import {
  finalTimedOut,
  finalTimeoutDue,
  notSpeech,
  notSpeechDue,
  onJudged,
  onFinal,
  onNothing,
  onPartial,
  onSpeech,
  onSttFailed,
  onTalkerFar,
  resumeTimedOut,
  stuckWords,
} from './caller.ts';
import { endCall, sayAndEnd } from './closing.ts';
import { commitTurn } from './commit.ts';
import { handBack, onNote, onPersonSaid, onSay, takeOver } from './control.ts';
import { anticipate, onEager, onEndpointResumed } from './eager.ts';
import { keypadDue, onDigit } from './keypad.ts';
import { onTyped } from './typed.ts';
import { onSpeechPaused, onSpeechStopped } from './sound.ts';
import { onUtteranceEnded, onUtteranceStarted } from './playing.ts';
import { wordingOf } from './policies/wording.ts';
import { commitDue, anticipateDue, prepareDue, stuckWordsDue } from './policies/endpointing.ts';
import { changeEars } from './policies/hearing.ts';
import { lowerVoice, loweringDue, raiseVoice, raisingDue } from './policies/lowering.ts';
import {
  checkIn,
  endAtMaxLength,
  endIdle,
  goodbyeAt,
  goodbyeDue,
  idleEndDue,
  idleWarningDue,
  maxLengthDue,
  sayGoodbye,
} from './policies/time-limits.ts';
import { resumeDue, soundStopDue } from './policies/interruption.ts';
import { begin, speakFirst, startDue as firstWordsDue } from './policies/start.ts';
import { answerUnclear, unclearDue } from './policies/unclear.ts';
import {
  closeByDue,
  closeNow,
  replyTimedOut,
  replyTimeoutDue,
  skipStuck,
  startDue,
  startTimedOut,
  stuckDue,
  utteranceLost,
} from './policies/watchdog.ts';
import { fillThinking, thinkingDue } from './policies/thinking.ts';
import { advance, generate, overDue } from './reply.ts';
import { change, isSilenced, type Step, type TurnState } from './state.ts';
import {
  hold,
  introduce,
  isSpeechEvent,
  onMachine,
  onPerson,
  onSpeakingStopped,
  resumeFromHold,
  stopForSound,
} from './stop.ts';
import {
  answerKeys,
  breakDeadAir,
  deadAirDue,
  endKeyWaits,
  fillerDue,
  followUp,
  followUpDue,
  onToolResult,
  sayFiller,
  timeOutTools,
  toolTimeoutDue,
  waitingForKeys,
} from './tools.ts';
import type { TurnEffect, TurnEvent } from './types.ts';

export { initialState } from './initial-state.ts';
export type { TurnState } from './state.ts';

/** A timed transition. `due` returns its time, 0 for at once, null for never. */
interface Timer {
  readonly due: (state: TurnState) => number | null;
  readonly fire: (step: Step, at: number) => Step;
}

/** The timers that bound every call, also on hold. */
const BOUNDS: readonly Timer[] = [
  { due: maxLengthDue, fire: endAtMaxLength },
  { due: closeByDue, fire: closeNow },
];
/** In order of precedence when several are due at once. */
const TIMERS: readonly Timer[] = [
  ...BOUNDS,
  { due: goodbyeDue, fire: sayGoodbye },
  { due: firstWordsDue, fire: speakFirst },
  { due: overDue, fire: advance },
  { due: stuckDue, fire: skipStuck },
  { due: startDue, fire: startTimedOut },
  { due: replyTimeoutDue, fire: replyTimedOut },
  { due: thinkingDue, fire: fillThinking },
  { due: toolTimeoutDue, fire: timeOutTools },
  { due: soundStopDue, fire: stopForSound },
  { due: loweringDue, fire: lowerVoice },
  { due: raisingDue, fire: raiseVoice },
  { due: resumeDue, fire: resumeTimedOut },
  { due: finalTimeoutDue, fire: finalTimedOut },
  { due: stuckWordsDue, fire: stuckWords },
  { due: notSpeechDue, fire: notSpeech },
  { due: keypadDue, fire: keysPressed },
  { due: commitDue, fire: (step, at) => commitTurn(endKeyWaits(step, at), at) },
  { due: unclearDue, fire: answerUnclear },
  { due: prepareDue, fire: (step, at) => generate(step, at, { speculative: true }) },
  { due: anticipateDue, fire: anticipate },
  { due: followUpDue, fire: followUp },
  { due: fillerDue, fire: sayFiller },
  { due: deadAirDue, fire: breakDeadAir },
  { due: idleEndDue, fire: endIdle },
  { due: idleWarningDue, fire: checkIn },
];

/** Those that recognise the caller's words and keys, and end tools, while a person talks in the agent's place. */
const SILENCED: readonly Timer[] = [
  ...BOUNDS,
  { due: toolTimeoutDue, fire: timeOutTools },
  { due: finalTimeoutDue, fire: finalTimedOut },
  { due: stuckWordsDue, fire: stuckWords },
  { due: notSpeechDue, fire: notSpeech },
  { due: keypadDue, fire: keysPressed },
  { due: commitDue, fire: commitTurn },
];

function timersOf(state: TurnState): readonly Timer[] {
  if (state.held) return BOUNDS;
  return isSilenced(state) ? SILENCED : TIMERS;
}

/** A session that does not answer `stop_speaking` within this is recorded as having played nothing. */
const STOP_ANSWER_MS = 50;

/**
 * Handles one event of a call: returns the next state and the effects in order. Pure and total: no clock, no randomness;
 * events that do not apply (stale ids, a second answer) change nothing.
 */
export function step(
  state: TurnState,
  event: TurnEvent,
): { state: TurnState; effects: readonly TurnEffect[] } {
  if (state.call.phase === 'ended') return { state, effects: [] };
  let next: Step = { state, effects: [] };
  if (state.stopping !== null && event.type !== 'speaking_stopped') {
    const overdue = event.type !== 'wake' || event.at >= state.stopping.at + STOP_ANSWER_MS;
    if (overdue) next = onSpeakingStopped(next, [], event.at);
  }
  const isIgnoring = state.held || state.attended !== 'person';
  if (next.state.call.phase !== 'ended' && !(isIgnoring && isSpeechEvent(event))) next = handle(next, event);
  if (next.state.call.phase !== 'ended') next = settle(next, event.at);
  return { state: { ...next.state, wakeAt: nextWake(next.state) }, effects: next.effects };
}

function handle(step: Step, event: TurnEvent): Step {
  const { at } = event;
  if (event.type === 'ears_changed') return changeEars(step, event.hears);
  if (event.type === 'tools_changed')
    return change(step, { settings: { ...step.state.settings, tools: event.tools } });
  if (event.type === 'interruption_changed') return changeInterruption(step, event.rule);
  if (event.type === 'languages_changed') {
    const { secondary: _before, ...settings } = step.state.settings;
    return change(step, { settings: { ...settings, ...wordingOf(event.language, event.secondary) } });
  }
  if (step.state.call.phase === 'waiting') return beforeAnswer(step, event);
  switch (event.type) {
    case 'answered':
    case 'wake':
      return step;
    case 'speech_started':
      return onSpeech(step, event);
    case 'speech_stopped':
      return onSpeechStopped(step, event);
    case 'speech_paused':
      return onSpeechPaused(step, event.isPaused);
    case 'talker_far':
      return onTalkerFar(step, event.isFar, at);
    case 'partial':
      return onPartial(step, event);
    case 'final':
      return onFinal(step, event);
    case 'eager':
      return onEager(step, event);
    case 'endpoint_resumed':
      return onEndpointResumed(step, event.turn ?? null, at);
    case 'turn_judged':
      return onJudged(step, event);
    case 'stt_nothing':
      return onNothing(step, at);
    case 'stt_failed':
      return onSttFailed(step, event.retryable, at);
    case 'dtmf':
      return onDigit(step, event.digit, at);
    case 'typed':
      return onTyped(step, event.text, at);
    case 'reply_text':
      return onReplyText(step, event, at);
    case 'reply_tool':
      return onReplyTool(step, event, at);
    case 'reply_done':
      return onReplyDone(step, event, at);
    case 'reply_failed':
      return onReplyFailed(step, event.replyId, event.retryable, at);
    case 'tool_result':
      return onToolResult(step, event);
    case 'utterance_started':
      return onUtteranceStarted(step, event.utteranceId, at);
    case 'utterance_ended':
      return onUtteranceEnded(step, event.utteranceId, at);
    case 'utterance_failed':
      return utteranceLost(step, event.utteranceId, at);
    case 'speaking_stopped':
      return onSpeakingStopped(step, event.heard, at);
    case 'held':
      return hold(step, at);
    case 'resumed':
      return resumeFromHold(step, at);
    case 'note':
      return onNote(step, event.text);
    case 'say':
      return onSay(step, event.text, event.author, at);
    case 'taken_over':
      return takeOver(step, at);
    case 'person_said':
      return onPersonSaid(step, event);
    case 'handed_back':
      return handBack(step, at);
    case 'media_timeout':
      return endCall(step, 'MEDIA_TIMEOUT', true, at);
    case 'remote_hangup':
      return endCall(step, 'USER_LEFT', false, at);
    case 'machine_answered':
      return onMachine(step, event.before, at);
    case 'introduce':
      return introduce(step, event.say, at);
    case 'person_answered':
      return step.state.attended === 'screening' ? begin(onPerson(step, at), at) : step;
    case 'end_requested':
      break;
  }
  if (event.say === null) return endCall(step, event.reason, true, at);
  return sayAndEnd(step, event.say, event.reason, at, event.withinMs);
}

/** The pressed keys answer the tool that waits for them, or become a turn of the caller. */
function keysPressed(step: Step, at: number): Step {
  const waiting = waitingForKeys(step.state);
  return waiting === null ? commitTurn(step, at) : answerKeys(step, waiting, at);
}

function beforeAnswer(step: Step, event: TurnEvent): Step {
  const { at } = event;
  if (event.type === 'remote_hangup') return endCall(step, 'USER_LEFT', false, at);
  if (event.type === 'media_timeout') return endCall(step, 'MEDIA_TIMEOUT', true, at);
  if (event.type === 'end_requested') return endCall(step, event.reason, true, at);
  return event.type === 'answered' ? answer(step, at) : step;
}

/** The call is answered: speaks the first message, at once or when its time comes. */
function answer(step: Step, at: number): Step {
  const { settings } = step.state;
  const talking = change(step, {
    call: {
      phase: 'talking',
      answeredAt: at,
      goodbyeAt: goodbyeAt(settings, at),
    },
    idle: { since: at, warned: false },
  });
  return begin(talking, at);
}

/** Fires the due timers. Each one moves its own due time, so the loop ends; the bound is a safeguard. */
function settle(step: Step, at: number): Step {
  let next = step;
  for (let i = 0; i < 50; i++) {
    const { state } = next;
    if (state.call.phase !== 'talking' || state.stopping !== null) return next;
    const timer = timersOf(state).find(({ due }) => (due(state) ?? Infinity) <= at);
    if (timer === undefined) return next;
    next = timer.fire(next, at);
  }
  return next;
}

function nextWake(state: TurnState): number | null {
  if (state.call.phase !== 'talking') return null;
  if (state.stopping !== null) return state.stopping.at + STOP_ANSWER_MS;
  const times = timersOf(state).map(({ due }) => due(state) ?? Infinity);
  return Math.min(...times);
}
