import type { EndReason, TurnEffect } from './types.ts';
import { isSounding } from './segment.ts';
import { clearedCaller } from './caller-state.ts';
import { expectedBy, isDone, isUnfinished, type Reply } from './reply-state.ts';
import { type AfterStop, change, isSilenced, type Step } from './state.ts';
import { recordUnclear } from './policies/hearing.ts';
import { lastWords } from './speaking.ts';
import { agentLine, callerItems, callerLines, sealTurn, unfinishedWords } from './transcript.ts';

/** Limit of a farewell requested from outside or by the machine itself. */
const LAST_WORDS_MS = 8_000;

/** Ends the live reply: records what was heard of it and drops the rest. */
export function closeReply(step: Step, at: number): Step {
  const { reply, tools } = step.state;
  if (reply === null) return step;
  const line = agentLine(reply, isCutShort(reply), at);
  const heard = line !== null;
  const effects: TurnEffect[] = [];
  if (needsCancel(reply)) effects.push({ type: 'cancel_reply', replyId: reply.id });
  if (line !== null) effects.push({ type: 'transcribe', line });
  const history = [...step.state.history];
  if (line !== null && reply.kind === 'check_in') history.push({ role: 'silence' });
  const by = line?.author === undefined ? {} : ({ by: 'person' } as const);
  if (line !== null) history.push({ role: 'agent', text: line.text, interrupted: line.interrupted, ...by });
  history.push(...tools.results);
  const proper = reply.kind === 'brain' || reply.kind === 'greeting';
  return change(
    step,
    {
      reply: null,
      history,
      tools: {
        ...tools,
        // Speech that was heard already fills the wait.
        filler: heard ? null : tools.filler,
        results: [],
        fresh: tools.fresh || (tools.results.length > 0 && !handsOver(reply)),
      },
      idle: reply.kind === 'check_in' ? step.state.idle : { since: at, warned: false },
      failures: heard && proper ? 0 : step.state.failures,
    },
    ...effects,
  );
}

/** A reply with an expected answer gives the caller the floor: its tools' results wait for the next turn. */
const handsOver = (reply: Reply): boolean => expectedBy(reply) !== null;

const isCutShort = (reply: Reply): boolean =>
  !isDone(reply) ||
  (reply.playing.phase === 'suspended' && reply.playing.heldBack.length > 0) ||
  reply.utterances.some((u) => isUnfinished(u) || (u.status === 'stopped' && u.rest !== ''));

const needsCancel = (reply: Reply): boolean =>
  !isDone(reply) ||
  reply.playing.phase === 'prepared' ||
  reply.utterances.some((u) => isUnfinished(u) || u.status === 'failed' || u.rest !== '');

/** Drops a reply of which nothing was heard. */
export function dropReply(step: Step): Step {
  const { reply, tools, history } = step.state;
  if (reply === null) return step;
  const results = tools.results;
  return change(
    step,
    {
      reply: null,
      history: results.length === 0 ? history : [...history, ...results],
      tools: { ...tools, results: [], fresh: tools.fresh || results.length > 0 },
    },
    { type: 'cancel_reply', replyId: reply.id },
  );
}

/** Stops the agent's speech; `after` continues once the session reports what was heard. */
export const stopSpeaking = (step: Step, after: AfterStop, at: number): Step =>
  change(
    step,
    { stopping: { at, next: after }, voice: isSilenced(step.state) ? 'silenced' : 'full' },
    { type: 'stop_speaking' },
  );

const hasSound = (reply: Reply | null): boolean =>
  reply !== null && reply.playing.phase === 'released' && reply.utterances.some(isUnfinished);

/** Ends the call, at once or after the session reports what was heard. */
export function endCall(step: Step, reason: EndReason, hangup: boolean, at: number): Step {
  if (hasSound(step.state.reply)) return stopSpeaking(step, { kind: 'end', reason, hangup }, at);
  return finishCall(step, reason, hangup, at);
}

/** Records everything and ends the call; `hangup` is the last effect. */
export function finishCall(step: Step, reason: EndReason, hangup: boolean, at: number): Step {
  const sealed = recordUnclear(sealTurn(step));
  let next = sealed.state.reply?.playing.phase === 'prepared' ? dropReply(sealed) : closeReply(sealed, at);
  const { caller, keypad } = next.state;
  const text = unfinishedWords(caller);
  const said = {
    text,
    transcribed: caller.earlier.transcribed,
    typed: caller.typed,
    keypad,
    startedAt: caller.firstSince,
    lastSoundAt: isSounding(caller.sound) ? at : caller.quietSince,
  };
  const history = [...next.state.history, ...callerItems(text, keypad, caller)];
  for (const line of callerLines(said)) next = change(next, {}, { type: 'transcribe', line });
  next = change(next, {
    history,
    keypad: null,
    caller: clearedCaller(caller),
    call: { phase: 'ended', reason, at },
    stopping: null,
  });
  return hangup ? change(next, {}, { type: 'hangup', reason }) : next;
}

/** Stops the agent's speech, speaks `text` unless it is silenced, and hangs up, at the latest after `withinMs`. */
export function sayAndEnd(
  step: Step,
  text: string,
  reason: EndReason,
  at: number,
  withinMs = LAST_WORDS_MS,
): Step {
  const { reply } = step.state;
  if (isSilenced(step.state)) return endCall(step, reason, true, at);
  if (reply !== null && reply.ending !== null && !reply.ending.cancellable) return step;
  const closeBy = at + withinMs;
  if (hasSound(reply)) return stopSpeaking(step, { kind: 'say', text, reason, closeBy }, at);
  return lastWords(closeReply(step, at), text, at, reason, closeBy);
}
