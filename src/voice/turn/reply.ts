import { closeReply, dropReply, finishCall, sayAndEnd } from './closing.ts';
import { isMuted } from './policies/mute.ts';
import { fluentTurn } from './policies/adapt.ts';
import { say } from './speaking.ts';
import {
  change,
  changeReply,
  isAudible,
  isTalking,
  isUnfinished,
  newReply,
  type Reply,
  type Step,
  type TurnState,
} from './state.ts';
import { callerItems, heardText } from './transcript.ts';

/** An early "yes" answers a question that ends this soon after it. */
const EARLY_ANSWER_MS = 1_500;

/** Asks the brain. A speculative request carries the caller's words before they are a turn. */
export function generate(step: Step, at: number, how: { speculative: boolean; attempt?: 1 | 2 }): Step {
  const { state } = step;
  const { speculative } = how;
  const id = state.nextReplyId;
  const reply: Reply = {
    ...newReply(id, 'brain', speculative ? 'prepared' : 'released', at),
    attempt: how.attempt ?? 1,
  };
  const history = speculative
    ? [...state.history, ...callerItems(state.caller.text, state.keypad)]
    : state.history;
  const asked = change(
    step,
    { reply, nextReplyId: id + 1 },
    { type: 'generate', replyId: id, history, memory: state.memory, speculative },
  );
  if (speculative) return asked;
  const tools = { ...state.tools, fresh: false };
  return change(asked, { tools }, { type: 'release', replyId: id });
}

/** The reply came to nothing: one more try where that can help, then words of our own. */
export function replyFailed(step: Step, retryable: boolean, at: number): Step {
  const { reply } = step.state;
  if (reply === null) return step;
  const dropped = dropReply(step);
  if (retryable && reply.kind === 'brain' && reply.attempt === 1) {
    return generate(dropped, at, { speculative: false, attempt: 2 });
  }
  return failure(closeReply(step, at), at);
}

/** Apologises; the second time in a row, says goodbye and ends the call. */
export function failure(step: Step, at: number): Step {
  const failures = step.state.failures + 1;
  const counted = change(step, { failures });
  const { phrases } = step.state.settings;
  if (failures >= 2) return sayAndEnd(counted, phrases.technicalGoodbye, 'FAILED', at);
  return say(counted, phrases.apology, at, { kind: 'phrase' });
}

/** Once the reply is certain, whole and part of the call, its memory and expectation are in force. */
export function acceptReply(step: Step): Step {
  const { reply } = step.state;
  if (reply === null || reply.kind !== 'brain' || reply.accepted || !reply.done) return step;
  if (reply.phase === 'prepared' || !(isAudible(reply) || reply.calledTools)) return step;
  const { tools } = step.state;
  const pending = tools.pending.map((call) =>
    call.replyId === reply.id && reply.expected !== null ? { ...call, quiet: true } : call,
  );
  return change(
    step,
    {
      reply: { ...reply, accepted: true },
      memory: reply.memory,
      expected: reply.expected,
      tools: { ...tools, pending },
    },
    { type: 'expect', expected: reply.expected },
  );
}

/** A reply of which nothing is left to make or play. */
export const overDue = ({ reply }: TurnState): number | null =>
  reply?.phase === 'released' && reply.done && !reply.utterances.some(isUnfinished) ? 0 : null;

/** Sees whether the reply is over: all of it made, and every utterance heard or lost. */
export function advance(step: Step, at: number): Step {
  const { reply } = step.state;
  if (reply === null || reply.phase !== 'released' || !reply.done) return step;
  return reply.utterances.some(isUnfinished) ? step : complete(step, reply, at);
}

function complete(step: Step, reply: Reply, at: number): Step {
  const { caller } = step.state;
  if (reply.ending !== null) {
    // The caller has begun to speak into the end of the goodbye: hear them out before hanging up.
    if (reply.ending.cancellable && isTalking(caller) && !isMuted(step.state)) {
      const stopped = { since: caller.segmentSince, at };
      return change(changeReply(step, { phase: 'suspended' }), { stopped });
    }
    return finishCall(step, reply.ending.reason, true, at);
  }
  const owesSound = reply.kind === 'brain' || (reply.utterances.length > 0 && reply.kind !== 'check_in');
  if (heardText(reply) === '' && owesSound && !reply.calledTools) {
    // Without text another try may help; where the voice failed it does not.
    return replyFailed(step, reply.utterances.length === 0, at);
  }
  const closed = answeredEarly(closeReply(fluentTurn(step), at), reply, at);
  const goesOn = reply.kind === 'greeting' && step.state.settings.goesOnAfterIntro === true;
  return goesOn ? generate(closed, at, { speculative: false }) : closed;
}

/** Words said over the agent's last second that never interrupt may still be the answer to its question. */
function answeredEarly(step: Step, reply: Reply, at: number): Step {
  const { caller } = step.state;
  const { early } = caller;
  if (early === null) return step;
  const isAnswer = at - early.at <= EARLY_ANSWER_MS && asksShortly(reply) && caller.text === '';
  if (!isAnswer) return change(step, { caller: { ...caller, early: null } });
  return change(step, {
    caller: {
      ...caller,
      early: null,
      text: early.text,
      firstSince: early.since,
      quietSince: isTalking(caller) ? caller.quietSince : early.at,
      quietBefore: early.at,
    },
  });
}

function asksShortly(reply: Reply): boolean {
  const kinds = reply.expected?.kinds ?? [];
  if (kinds.includes('yes_no') || kinds.includes('choice')) return true;
  return /[?？؟][^\p{L}\p{N}]*$/u.test(heardText(reply));
}
