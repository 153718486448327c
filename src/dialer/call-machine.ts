import type { Ending } from '../domain/calls/attempt/next-step.ts';
import type { StoredStatus } from '../domain/calls/attempt/transitions.ts';
import { failureReason, type FailureCode, type FailureReason } from '../shared/failure-reason.ts';
import type { CallFailure } from '@callwright/sip';
import type { ConversationResult, ToolLogEntry } from '../voice/conversation.ts';
import type { EndReason } from '@callwright/turns';
import type { CallSpec } from '../session/protocol.ts';
import type { Cut } from './live-calls.ts';

/** Who ended the call. */
export type Side = 'caller' | 'agent' | 'system';

interface Answer {
  readonly at: number;
  readonly sipCallId: string;
}

/** The attempt has a cause of its end and waits for the last report: a final response, or the conversation's result. */
interface EndingState {
  readonly name: 'ending';
  /** Null: the call was not answered. */
  readonly answer: Answer | null;
  /** Who ended it first. */
  readonly by: Side;
  /** This process ended it because it stops or was fenced; null: it did not. */
  readonly cut: Cut | null;
  /** What the network announced while the call rang; null: nothing. */
  readonly announced: CallFailure | null;
  /** Why the conversation failed; null: it did not, or its result says so. */
  readonly fault: FailureReason | null;
  /** SIP status that ended the dialog; null: none. */
  readonly sipCode: number | null;
}

/**
 * One attempt from its first packet to its end. `dialling`: the far side must ring, answer or connect. An inbound or
 * browser call skips the states that it does not have.
 */
export type CallState =
  | { readonly name: 'preparing' | 'dialling' | 'ringing' }
  | { readonly name: 'answered'; readonly answer: Answer }
  | EndingState
  | { readonly name: 'over' };

/** Times are epoch ms. */
export type CallEvent =
  /** INVITE, our 200 or the browser's connection is under way; without an answer the guard ends the call after `withinMs`. */
  | { readonly type: 'connecting'; readonly at: number; readonly withinMs: number }
  | { readonly type: 'ringing'; readonly at: number; readonly sipCode: number }
  /** The far side answered and media is agreed. */
  | {
      readonly type: 'answered';
      readonly at: number;
      readonly sipCallId: string;
      readonly spec: CallSpec;
    }
  /** The journal of the answer found that the attempt is no longer this node's. */
  | { readonly type: 'disowned'; readonly at: number }
  /** A user ends the call. */
  | { readonly type: 'hangup_requested'; readonly at: number }
  /** This process stops, or other nodes fenced it. */
  | { readonly type: 'cut'; readonly at: number; readonly cause: Cut }
  /** The far side hung up, or the dialog broke. */
  | { readonly type: 'remote_ended'; readonly at: number; readonly by: Side; readonly sipCode: number | null }
  /** The signalling ended the attempt without an answer. */
  | { readonly type: 'failed'; readonly at: number; readonly failure: CallFailure }
  /** A pre-call tool that the call depends on failed. */
  | { readonly type: 'not_dialled'; readonly at: number; readonly toolLog: readonly ToolLogEntry[] }
  /** The attempt was released or refused by the dial gate; `stored` as for `leave`. */
  | { readonly type: 'released'; readonly at: number; readonly stored: StoredStatus | null }
  /** The network played special information tones. */
  | { readonly type: 'special_tones'; readonly at: number; readonly isNumber: boolean }
  /** The agent ended the conversation; its result follows. */
  | { readonly type: 'conversation_ended'; readonly at: number; readonly failure: FailureReason | null }
  | { readonly type: 'finished'; readonly at: number; readonly result: ConversationResult }
  | { readonly type: 'worker_lost'; readonly at: number; readonly why: 'ended' | 'memory' }
  /** The guard's time is up. */
  | { readonly type: 'guard'; readonly at: number };

/** The end as far as the machine knows it: the shell adds tools, transfers and SIP messages. */
export type CallEnd = Omit<
  Ending,
  'missedRinging' | 'callbackAt' | 'sipMessages' | 'transferLegs' | 'variables'
>;

export type CallEffect =
  /** Sends BYE or CANCEL. */
  | { readonly type: 'hangup'; readonly cause: string }
  /** Replaces the guard: the attempt ends by force after `ms`. */
  | { readonly type: 'guard'; readonly ms: number }
  | { readonly type: 'status'; readonly subStatus: 'RINGING' | 'ACCEPTED'; readonly at: number }
  | { readonly type: 'journal_ringing'; readonly at: number; readonly sipCode: number }
  | { readonly type: 'journal_answered'; readonly at: number }
  | { readonly type: 'start_conversation'; readonly at: number; readonly spec: CallSpec }
  | { readonly type: 'end_conversation'; readonly reason: EndReason }
  /** The conversation learns that the far side hung up. */
  | { readonly type: 'remote_hangup'; readonly at: number }
  | { readonly type: 'end_transfer'; readonly by: 'caller' | 'system' }
  | { readonly type: 'free_media' }
  | { readonly type: 'settle'; readonly end: CallEnd }
  /** Ends without a settlement. `stored`: the call's status in the database; null: the attempt stays claimed. */
  | { readonly type: 'leave'; readonly stored: StoredStatus | null; readonly at: number };

export interface Stepped {
  readonly state: CallState;
  readonly effects: readonly CallEffect[];
}

/** How long after the call's own limit the guard ends it by force. */
export const GRACE_MS = 15_000;
/** How long the call worker may take for its result after a hangup. */
export const RESULT_TIMEOUT_MS = 8000;

export const PREPARING: CallState = { name: 'preparing' };
const OVER: CallState = { name: 'over' };

/**
 * The call as a machine: what an event does to an attempt. The first cause of an end wins, later ones are echoes, and
 * `settle` or `leave` is the last effect of an attempt. Pure.
 */
export function step(state: CallState, event: CallEvent): Stepped {
  if (state.name === 'over') return { state, effects: [] };
  const { at } = event;
  switch (event.type) {
    case 'connecting':
      return {
        state: state.name === 'preparing' ? { name: 'dialling' } : state,
        effects: [{ type: 'guard', ms: event.withinMs }],
      };
    case 'ringing':
      return ringing(state, at, event.sipCode);
    case 'answered':
      return answered(state, { at, sipCallId: event.sipCallId }, event.spec);
    case 'disowned':
      return {
        state: withFault(endingBy(state, 'agent'), failureReason('NOT_OWNED')),
        effects: [{ type: 'end_conversation', reason: 'FAILED' }],
      };
    case 'hangup_requested':
      return hangupRequested(state);
    case 'cut':
      return cut(state, event.cause);
    case 'remote_ended':
      return remoteEnded(state, event);
    case 'failed':
      // The signalling of an answered call reports no failure; if it does, the dialog is gone.
      return answerOf(state) === null
        ? failed(state, event.failure)
        : remoteEnded(state, { at, by: 'system', sipCode: event.failure.sipCode });
    case 'not_dialled':
      return answerOf(state) === null ? notDialled(state, at, event.toolLog) : { state, effects: [] };
    case 'released':
      return { state: OVER, effects: [{ type: 'free_media' }, { type: 'leave', stored: event.stored, at }] };
    case 'special_tones':
      return specialTones(state, at, event.isNumber);
    case 'conversation_ended':
      return {
        state: withFault(endingBy(state, 'agent'), event.failure),
        effects: [
          { type: 'end_transfer', by: 'system' },
          { type: 'hangup', cause: 'normal' },
          { type: 'guard', ms: RESULT_TIMEOUT_MS },
        ],
      };
    case 'finished':
      return finished(state, event.result);
    case 'worker_lost':
      return lost(state, at, WORKER_LOST[event.why]);
    case 'guard':
      return lost(state, at, {
        cause: 'guard',
        reason: 'the call outlived every limit',
        code: 'LIMITS_EXCEEDED',
      });
  }
  event satisfies never;
  return { state, effects: [] };
}

type Live = Exclude<CallState, { readonly name: 'over' }>;

const answerOf = (state: Live): Answer | null =>
  state.name === 'answered' || state.name === 'ending' ? state.answer : null;

/** The state after a cause: an earlier cause stays. */
const endingBy = (state: Live, by: Side): EndingState =>
  state.name === 'ending'
    ? state
    : {
        name: 'ending',
        answer: answerOf(state),
        by,
        cut: null,
        announced: null,
        fault: null,
        sipCode: null,
      };

const withFault = (state: EndingState, fault: FailureReason | null): EndingState => ({
  ...state,
  fault: state.fault ?? fault,
});

function ringing(state: Live, at: number, sipCode: number): Stepped {
  if (state.name === 'answered' || state.name === 'ending') return { state, effects: [] };
  return {
    state: { name: 'ringing' },
    effects: [
      { type: 'status', subStatus: 'RINGING', at },
      { type: 'journal_ringing', at, sipCode },
    ],
  };
}

/** The conversation does not wait for the journal. An answer that crosses our CANCEL is hung up again. */
function answered(state: Live, answer: Answer, spec: CallSpec): Stepped {
  if (answerOf(state) !== null) return { state, effects: [] };
  const { at } = answer;
  const effects: CallEffect[] = [
    { type: 'start_conversation', at, spec },
    { type: 'status', subStatus: 'ACCEPTED', at },
    { type: 'journal_answered', at },
    { type: 'guard', ms: spec.maxCallMs + GRACE_MS },
  ];
  if (state.name !== 'ending') return { state: { name: 'answered', answer }, effects };
  return { state: { ...state, answer }, effects: [...effects, { type: 'hangup', cause: 'cancelled' }] };
}

function hangupRequested(state: Live): Stepped {
  if (state.name === 'ending') return { state, effects: [] };
  return {
    state: endingBy(state, 'system'),
    effects: [
      state.name === 'answered'
        ? { type: 'end_conversation', reason: 'USER_TERMINATED' }
        : { type: 'hangup', cause: 'cancelled' },
    ],
  };
}

function cut(state: Live, cause: Cut): Stepped {
  if (state.name === 'ending') return { state, effects: [] };
  const effects: CallEffect[] = [{ type: 'hangup', cause: 'the service stops' }];
  // A browser call has no BYE: its worker closes the connection.
  if (state.name === 'answered') effects.push({ type: 'end_conversation', reason: 'USER_TERMINATED' });
  return { state: { ...endingBy(state, 'system'), cut: cause }, effects };
}

function remoteEnded(
  state: Live,
  { at, by, sipCode }: { readonly at: number; readonly by: Side; readonly sipCode: number | null },
): Stepped {
  if (answerOf(state) === null) {
    const reason = 'the caller gave up';
    return failed(state, { failure: 'cancelled', sipCode, reason, neverSent: false, at });
  }
  const ending = endingBy(state, by);
  return {
    state: { ...ending, sipCode: ending.sipCode ?? sipCode },
    effects: [
      { type: 'remote_hangup', at },
      { type: 'end_transfer', by: by === 'caller' ? 'caller' : 'system' },
      { type: 'guard', ms: RESULT_TIMEOUT_MS },
    ],
  };
}

function specialTones(state: Live, at: number, isNumber: boolean): Stepped {
  if (state.name === 'answered' || state.name === 'ending') return { state, effects: [] };
  const announced: CallFailure = {
    failure: isNumber ? 'invalid_number' : 'failed',
    sipCode: null,
    reason: 'special information tones while it rang',
    neverSent: false,
    at,
  };
  return {
    state: { ...endingBy(state, 'system'), announced },
    effects: [{ type: 'hangup', cause: 'special information tones' }],
  };
}

const announcedOf = (state: Live): CallFailure | null => (state.name === 'ending' ? state.announced : null);

/** An attempt without an answer ends. An announcement explains it better than the response to our CANCEL. */
function failed(state: Live, ended: CallFailure): Stepped {
  const announced = announcedOf(state);
  const failure = announced === null ? ended : { ...announced, sipCode: ended.sipCode, at: ended.at };
  return unanswered(state, {
    end: { kind: 'not_answered', failure: failure.failure },
    endedAt: failure.at,
    sipCode: failure.sipCode,
    reason: failure.reason,
    retryAfterMs: failure.retryAfterMs ?? null,
  });
}

const notDialled = (state: Live, at: number, toolLog: readonly ToolLogEntry[]): Stepped =>
  unanswered(state, {
    end: { kind: 'not_answered', failure: 'pre_call_failed' },
    endedAt: at,
    sipCode: null,
    reason: 'a tool before the call failed',
    toolLog,
  });

const unanswered = (
  state: Live,
  end: Omit<CallEnd, 'answeredAt' | 'hangupBy' | 'sipCallId' | 'result'>,
): Stepped =>
  settled(state, [{ type: 'free_media' }], {
    ...end,
    answeredAt: null,
    hangupBy: null,
    sipCallId: null,
    result: null,
  });

function finished(state: Live, result: ConversationResult): Stepped {
  const answer = answerOf(state);
  if (answer === null) return { state, effects: [] };
  const { by, fault, sipCode } = endingBy(state, 'system');
  const { reason } = result;
  return settled(state, [], {
    end: { kind: 'answered', reason },
    endedAt: result.endedAt,
    answeredAt: answer.at,
    hangupBy: by,
    sipCallId: answer.sipCallId,
    sipCode,
    reason,
    failure: reason === 'FAILED' ? (fault ?? result.failure ?? null) : null,
    result,
  });
}

/** Ends the attempt without a conversation result: only whether it was answered is known. */
const WORKER_LOST = {
  ended: { cause: 'worker lost', reason: 'the call worker ended', code: 'WORKER_LOST' },
  memory: { cause: 'worker lost', reason: 'the call worker used too much memory', code: 'WORKER_MEMORY' },
} as const;

function lost(
  state: Live,
  at: number,
  { cause, reason, code }: { readonly cause: string; readonly reason: string; readonly code: FailureCode },
): Stepped {
  const hangup: CallEffect = { type: 'hangup', cause };
  const answer = answerOf(state);
  if (answer === null) {
    const failure = announcedOf(state) ?? {
      failure: 'failed',
      sipCode: null,
      reason,
      neverSent: false,
      at,
    };
    const { state: over, effects } = failed(state, failure);
    return { state: over, effects: [hangup, ...effects] };
  }
  const { fault, sipCode } = endingBy(state, 'system');
  return settled(state, [hangup], {
    end: { kind: 'answered', reason: 'FAILED' },
    endedAt: at,
    answeredAt: answer.at,
    hangupBy: 'system',
    sipCallId: answer.sipCallId,
    sipCode,
    reason,
    failure: fault ?? failureReason(code),
    result: null,
  });
}

function settled(state: Live, before: readonly CallEffect[], end: CallEnd): Stepped {
  const by = state.name === 'ending' ? state.cut : null;
  return { state: OVER, effects: [...before, { type: 'settle', end: by === null ? end : cutEnd(by, end) }] };
}

/** The end of a call that this process cut, unless the far side ended it at the same moment, such as by a busy response. */
function cutEnd(by: Cut, end: CallEnd): CallEnd {
  if (end.end.kind === 'not_answered' && end.end.failure !== 'cancelled') return end;
  const reason = by === 'stopped' ? 'the service stopped' : 'node lost';
  return { ...end, end: { kind: by }, hangupBy: 'system', reason };
}
