import { joinText } from '../sentences.ts';
import { isWordlessCheckIn, sayCheckIn } from './check-in.ts';
import { closeReply, dropReply, finishCall, sayAndEnd } from './closing.ts';
import { isMuted } from './policies/interruption.ts';
import { fluentTurn } from './policies/adapt.ts';
import { expectedFrom } from './policies/hearing.ts';
import { phrasesNow } from './policies/wording.ts';
import { say, suspend } from './speaking.ts';
import { isHum } from './policies/hums.ts';
import { Said } from './said.ts';
import { isTalking, quietUntil } from './caller-state.ts';
import {
  expectedBy,
  isDone,
  isUnfinished,
  newReply,
  ownUtterances,
  type Playing,
  type Reply,
} from './reply-state.ts';
import { change, isSilenced, type Step, type TurnState } from './state.ts';
import { pendingItems } from './tool-keys.ts';
import { callerItems, heardText } from './transcript.ts';

/** A backchannel this soon before the end of a question is its answer. */
const EARLY_ANSWER_MS = 1_500;

/**
 * Requests a reply. A speculative request includes the caller's words before they are committed; `words`: those that the
 * recogniser has not ended yet. Nothing is requested while a person talks in the agent's place.
 */
export function generate(
  step: Step,
  at: number,
  how: { speculative: boolean; attempt?: 1 | 2; words?: string },
): Step {
  const { state } = step;
  if (isSilenced(state)) return step;
  const { speculative } = how;
  const id = state.nextReplyId;
  const reply: Reply = {
    ...newReply(
      id,
      'brain',
      speculative ? preparedFor(how.words) : { phase: 'released', releasedAt: at },
      at,
    ),
    attempt: how.attempt ?? 1,
  };
  const said = speculative ? callerItems(how.words ?? state.caller.text, state.keypad, state.caller) : [];
  const history = [...state.history, ...pendingItems(state), ...said];
  const requested = change(
    step,
    { reply, nextReplyId: id + 1, startBy: null },
    { type: 'generate', replyId: id, history, memory: state.memory, speculative },
  );
  if (speculative) return requested;
  const tools = { ...state.tools, fresh: false };
  return change(requested, { tools }, { type: 'release', replyId: id });
}

const preparedFor = (words: string | undefined): Playing => ({
  phase: 'prepared',
  answers: words === undefined ? 'turn' : { words },
});

/** A reply failed without text: retries once if that can help, then apologises. */
export function replyFailed(step: Step, retryable: boolean, at: number): Step {
  const { reply } = step.state;
  if (reply === null) return step;
  const dropped = dropReply(step);
  if (isWordlessCheckIn(reply)) return sayCheckIn(dropped, at);
  if (retryable && reply.kind === 'brain' && reply.attempt === 1) {
    return generate(dropped, at, { speculative: false, attempt: 2 });
  }
  return failure(closeReply(step, at), at);
}

/** Apologises; after the second failure in a row, says goodbye and ends the call. */
export function failure(step: Step, at: number): Step {
  if (isSilenced(step.state)) return step;
  const failures = step.state.failures + 1;
  const counted = change(step, { failures });
  const phrases = phrasesNow(step.state);
  if (failures >= 2) return sayAndEnd(counted, phrases.technicalGoodbye, 'FAILED', at);
  return say(counted, phrases.apology, at, { kind: 'phrase' });
}

/** Applies the memory and expected answer of a reply that is done and has sounded or run a tool. */
export function acceptReply(step: Step): Step {
  const { reply } = step.state;
  if (reply === null || reply.kind !== 'brain' || reply.stream.phase !== 'done') return step;
  const isHeard = ownUtterances(reply).some(({ startedAt }) => startedAt !== null);
  if (reply.playing.phase === 'prepared' || !(isHeard || reply.calledTools)) return step;
  const { tools } = step.state;
  const { memory, onSilence = false } = reply.stream;
  const pending = tools.pending.map((call) =>
    call.replyId === reply.id && expectedBy(reply) !== null ? { ...call, quiet: true } : call,
  );
  const line = joinText(reply.utterances.map((u) => u.text));
  const expected = expectedBy(reply) ?? expectedFrom(line, step.state.settings);
  return change(
    step,
    {
      reply: { ...reply, stream: { phase: 'accepted', expected: expectedBy(reply) } },
      memory,
      expected,
      onSilence,
      tools: { ...tools, pending },
    },
    { type: 'expect', expected },
  );
}

/** How long a talking caller delays the hangup after the agent's last words. */
const LISTENS_MS = 2_000;

/** End of that delay; null: the caller is silent or may still interrupt. */
function listensUntil({ reply, caller }: TurnState): number | null {
  if (reply?.ending?.cancellable !== false || !isTalking(caller)) return null;
  return Math.max(reply.requestedAt, ...reply.utterances.map((u) => u.endedAt ?? 0)) + LISTENS_MS;
}

/** Due at once when nothing of the reply is left to generate or play. */
export function overDue(state: TurnState): number | null {
  const { reply } = state;
  if (reply?.playing.phase !== 'released' || !isDone(reply) || reply.utterances.some(isUnfinished))
    return null;
  return listensUntil(state) ?? 0;
}

/** Completes a reply that is generated and whose utterances are all played or lost. */
export function advance(step: Step, at: number): Step {
  const { reply } = step.state;
  if (reply === null || reply.playing.phase !== 'released' || !isDone(reply)) return step;
  return reply.utterances.some(isUnfinished) ? step : complete(step, reply, at);
}

function complete(step: Step, reply: Reply, at: number): Step {
  const { caller } = step.state;
  if (reply.ending !== null) {
    // The caller is speaking over the end of the goodbye: wait for the words before hanging up.
    if (reply.ending.cancellable && isTalking(caller) && !isMuted(step.state)) {
      return suspend(step, { since: caller.segment.since, at });
    }
    // Do not hang up on a caller who is talking.
    if (at < (listensUntil(step.state) ?? 0)) return step;
    return finishCall(step, reply.ending.reason, true, at);
  }
  if (isWordlessCheckIn(reply)) return sayCheckIn(dropReply(step), at);
  const owesSound = reply.kind === 'brain' || (reply.utterances.length > 0 && reply.kind !== 'check_in');
  const own = ownUtterances(reply);
  if (own.every(({ heard }) => heard === '') && owesSound && !reply.calledTools) {
    // A retry may help a reply without text, not failed synthesis.
    return replyFailed(step, own.length === 0, at);
  }
  const closed = answeredEarly(closeReply(fluentTurn(step), at), reply, at);
  if (reply.stream.phase === 'broken_off') return generate(closed, at, { speculative: false, attempt: 2 });
  const goesOn = reply.kind === 'greeting' && step.state.settings.goesOnAfterIntro === true;
  return goesOn ? generate(closed, at, { speculative: false }) : closed;
}

/** A backchannel over the end of the agent's question becomes the answer to it, unless it only hums. */
function answeredEarly(step: Step, reply: Reply, at: number): Step {
  const { caller } = step.state;
  const { early } = caller;
  if (early === null) return step;
  const isAnswer =
    at - early.at <= EARLY_ANSWER_MS &&
    asksShortly(reply) &&
    caller.text === '' &&
    !isHum(Said.of(early.text));
  if (!isAnswer) return change(step, { caller: { ...caller, early: null } });
  return change(step, {
    caller: {
      ...caller,
      early: null,
      text: early.text,
      firstSince: early.since,
      quietSince: isTalking(caller) ? caller.quietSince : early.at,
      earlier: quietUntil(caller.earlier, early.at),
    },
  });
}

function asksShortly(reply: Reply): boolean {
  const kinds = expectedBy(reply)?.kinds ?? [];
  if (kinds.includes('yes_no') || kinds.includes('choice')) return true;
  return /[?？؟][^\p{L}\p{N}?？؟]*$/u.test(heardText(reply));
}
