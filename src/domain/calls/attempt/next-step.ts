import type { VersionConfig } from '../../../store/json/agent-version.ts';
import type { CallLevelConfig } from '../../../store/json/call-config.ts';
import { DEFAULT_DELAY_MINUTES, DEFAULT_RETRIES } from '../../agents/call-config.ts';
import type { CallFacts } from '../../../store/calls/facts.ts';
import type { EndReason } from '@callwright/turns';
import { callWindow, nextOpening } from '../../call-windows/call-window.ts';
import type { CallStatus } from './transitions.ts';
import {
  failureReason,
  unansweredCode,
  unansweredDetail,
  type FailureReason,
} from '../../../shared/failure-reason.ts';
import type { Ringing } from '../../../store/calls/attempts.ts';
import type { ConversationResult, ToolLogEntry } from '../../../voice/conversation.ts';
import type { LegTimes } from './transfer-charges.ts';

/** Why an attempt was not answered (open-points, Calls): the signalling's failure classes and ours. */
export type UnansweredCause =
  | 'busy'
  | 'no_answer'
  | 'rejected'
  | 'invalid_number'
  | 'failed'
  | 'cancelled'
  /** A pre-call tool with `on_failure: fail_call` failed, so the call was not dialled. */
  | 'pre_call_failed';

/** How an attempt ended, before retries are considered. */
export type AttemptEnd =
  /** No conversation. */
  | { readonly kind: 'not_answered'; readonly failure: UnansweredCause }
  /** The callee answered; `hangupBy` of the settlement says which side hung up. */
  | { readonly kind: 'answered'; readonly reason: EndReason }
  /** The dial gate found the callee on a do-not-call list; the call was not dialled. */
  | { readonly kind: 'do_not_call' }
  /** The node that held the attempt died; what the callee heard is unknown. */
  | { readonly kind: 'crashed' }
  /** The node stopped before the attempt ended: it cut the call, which may have rung. */
  | { readonly kind: 'stopped' };

/** What signalling and conversation report about an attempt's end. Times in epoch ms. */
export interface Ending {
  readonly end: AttemptEnd;
  readonly endedAt: number;
  /** As the signalling saw it, even when the answer could not be journalled; null: the journal's value. */
  readonly answeredAt: number | null;
  /** A ringing that could not be journalled. */
  readonly missedRinging?: Ringing | null;
  readonly hangupBy: 'caller' | 'agent' | 'system' | null;
  readonly sipCallId: string | null;
  readonly sipCode: number | null;
  readonly reason: string | null;
  /** Why a conversation failed; null or absent: it did not, or the reason says so. */
  readonly failure?: FailureReason | null;
  /** Retry-After of the refusal; null or absent: none. */
  readonly retryAfterMs?: number | null;
  /** Null without a conversation, and for one whose call worker or process died. */
  readonly result: ConversationResult | null;
  /** Tools that ran although there was no conversation. */
  readonly toolLog?: readonly ToolLogEntry[];
  /** When the agent promised to call back, for a conversation without a result; null: the journal's value. */
  readonly callbackAt?: number | null;
  /** The SIP messages of the attempt in their stored form; null or absent: unknown. */
  readonly sipMessages?: string | null;
  /** What the far side's requests said, added to the variables of the call; absent: nothing. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Second legs that this process dialled; absent: the journal's values. */
  readonly transferLegs?: readonly LegTimes[];
}

export type RetryClass = 'busy' | 'not_picked' | 'failed' | 'voicemail';

export interface Outcome {
  /** Status when there is no further attempt. */
  readonly final: Extract<CallStatus, 'completed' | 'failed' | 'error'>;
  readonly subStatus: string;
  /** The retry rule that applies; null: never dialled again. */
  readonly retry: RetryClass | null;
}

/** The outcome of each way an attempt can end (open-points, Calls). */
export function outcomeOf(end: AttemptEnd): Outcome {
  if (end.kind === 'answered') return answered(end.reason);
  return end.kind === 'not_answered' ? NOT_ANSWERED[end.failure] : WITHOUT_REASON[end.kind];
}

const WITHOUT_REASON: Readonly<Record<'crashed' | 'stopped' | 'do_not_call', Outcome>> = {
  // The callee was rung and perhaps spoken to: a retry would call a person again who did not hang up.
  stopped: { final: 'error', subStatus: 'SERVICE_STOPPED', retry: null },
  crashed: { final: 'error', subStatus: 'UNKNOWN_AFTER_CRASH', retry: null },
  do_not_call: { final: 'failed', subStatus: 'DND_SKIPPED', retry: null },
};

const NOT_ANSWERED: Readonly<Record<UnansweredCause, Outcome>> = {
  busy: { final: 'failed', subStatus: 'BUSY', retry: 'busy' },
  no_answer: { final: 'failed', subStatus: 'NO_ANSWER', retry: 'not_picked' },
  // Declined: the person is there and did not want the call now.
  rejected: { final: 'failed', subStatus: 'BUSY', retry: 'busy' },
  // A retry cannot make the number valid.
  invalid_number: { final: 'failed', subStatus: 'NOT_ABLE_TO_CALL', retry: null },
  failed: { final: 'failed', subStatus: 'FAILED', retry: 'failed' },
  pre_call_failed: { final: 'failed', subStatus: 'PRE_CALL_API_FAILED', retry: 'failed' },
  // Ended by the API before an answer.
  cancelled: { final: 'failed', subStatus: 'USER_TERMINATED', retry: null },
};

function answered(reason: EndReason): Outcome {
  // The service failed in the conversation. The callee was rung and spoken to, so the call is not retried.
  if (reason === 'FAILED') return { final: 'error', subStatus: 'FAILED', retry: null };
  if (reason === 'VOICEMAIL_DETECTED') {
    return { final: 'completed', subStatus: 'VOICEMAIL_DETECTED', retry: 'voicemail' };
  }
  // A fax or the tones of the network answered: a retry reaches the same.
  if (reason === 'NOT_ABLE_TO_CALL') return { final: 'failed', subStatus: reason, retry: null };
  return { final: 'completed', subStatus: reason, retry: null };
}

/** Number of retries after the first attempt, and the delay after each outcome. */
export interface RetryRules {
  readonly retries: number;
  readonly delayMs: Readonly<Record<RetryClass, number>>;
  /** interface: voicemail.retry. */
  readonly afterVoicemail: boolean;
}

const MINUTE_MS = 60_000;

/** The rules of one call: its own `call_retry_config`, then the defaults (open-points, Calls). */
export function retryRules(
  kind: keyof typeof DEFAULT_RETRIES,
  callConfig: CallLevelConfig | null,
  voicemail: { readonly retry?: boolean } | null | undefined,
): RetryRules {
  const config = callConfig?.callRetryConfig ?? {};
  const delay = (minutes: number | undefined): number => (minutes ?? DEFAULT_DELAY_MINUTES) * MINUTE_MS;
  const notPicked = delay(config.retryNotPicked);
  return {
    retries: config.retryCount ?? DEFAULT_RETRIES[kind],
    delayMs: {
      busy: delay(config.retryBusy),
      not_picked: notPicked,
      failed: delay(config.retryFailed),
      // A voicemail box answered, so the person did not pick up.
      voicemail: notPicked,
    },
    afterVoicemail: voicemail?.retry ?? true,
  };
}

export type RetryDecision =
  | { readonly retry: true; readonly delayMs: number }
  | { readonly retry: false; readonly exhausted: boolean };

/** Retry or not, after an outcome of class `retry` and `used` earlier retries. */
export function decideRetry(rules: RetryRules, retry: RetryClass | null, used: number): RetryDecision {
  if (retry === null || (retry === 'voicemail' && !rules.afterVoicemail)) {
    return { retry: false, exhausted: false };
  }
  if (used >= rules.retries) return { retry: false, exhausted: rules.retries > 0 };
  return { retry: true, delayMs: rules.delayMs[retry] };
}

export interface NextStep {
  readonly status: CallStatus;
  readonly subStatus: string;
  /** When the retry is due; null: none. */
  readonly retryAt: Date | null;
}

/** The facts that decide the step after an attempt. */
export type SteppingCall = Pick<
  CallFacts,
  | 'campaignId'
  | 'callType'
  | 'toNumber'
  | 'callConfig'
  | 'versionConfig'
  | 'campaignState'
  | 'campaignEndAt'
  | 'retriesUsed'
  | 'noRetry'
>;

/**
 * Final status or retry after an attempt that ended at `now`. A retry is due at the next opening of the call's window
 * after its delay and after a Retry-After, never at or after its campaign's end, and never for a terminated campaign. Pure.
 */
export function nextStep(
  call: SteppingCall,
  outcome: Outcome,
  end: {
    readonly optedOut: boolean;
    readonly now: number;
    /** Retry-After of the refusal; null or absent: none. */
    readonly retryAfterMs?: number | null;
  },
): NextStep {
  const config = call.versionConfig as Partial<VersionConfig>;
  const callConfig = call.callConfig;
  const kind = call.campaignId === null ? 'individual' : 'campaign';
  const rules = retryRules(kind, callConfig, config.callConfig?.voicemail);
  const mayRetry =
    call.callType === 'outbound' && !end.optedOut && !call.noRetry && call.campaignState !== 'terminated';
  const decision = decideRetry(rules, mayRetry ? outcome.retry : null, call.retriesUsed);
  if (!decision.retry) return ended(outcome, decision.exhausted ? 'RETRY_LIMIT_REACHED' : null);
  const agentTime = config.callConfig?.callTime;
  const window = callWindow(agentTime, callConfig?.callTime, call.toNumber);
  const opening = nextOpening(window, end.now + Math.max(decision.delayMs, end.retryAfterMs ?? 0));
  if (opening === null) return ended(outcome, null);
  if (call.campaignEndAt !== null && opening >= call.campaignEndAt.getTime()) {
    return ended(outcome, 'CAMPAIGN_TIME_EXCEEDED');
  }
  return { status: 'retry', subStatus: 'RETRY_SCHEDULED', retryAt: new Date(opening) };
}

/** A failed call's sub-status says why there is no retry; a completed call keeps its outcome. */
const ended = (outcome: Outcome, because: string | null): NextStep => ({
  status: outcome.final,
  subStatus: outcome.final === 'failed' ? (because ?? outcome.subStatus) : outcome.subStatus,
  retryAt: null,
});

/** Why an attempt failed, for every end that counts as FAILED or as an error; null: it did not fail. */
export function failureOf(
  ending: Pick<Ending, 'end' | 'reason' | 'sipCode' | 'failure'>,
  { final, subStatus }: Outcome,
): FailureReason | null {
  const { end, failure = null } = ending;
  if (final !== 'error' && subStatus !== 'FAILED' && subStatus !== 'PRE_CALL_API_FAILED') return null;
  if (end.kind === 'crashed') return failureReason('PROCESS_LOST');
  if (end.kind === 'stopped') return failureReason('SERVICE_STOPPED');
  if (end.kind === 'not_answered') {
    const code = end.failure === 'pre_call_failed' ? 'PRE_CALL_TOOL_FAILED' : unansweredCode(ending);
    return failureReason(code, unansweredDetail(ending));
  }
  return failure ?? failureReason('CONVERSATION_CUT');
}
