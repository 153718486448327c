import type { EndReason } from '../../voice/turn/types.ts';
import type { CallStatus } from './transitions.ts';

/** Why nobody answered (open-points, Calls); the signalling's own failure classes. */
export type UnansweredCause =
  | 'busy'
  | 'no_answer'
  | 'rejected'
  | 'invalid_number'
  | 'failed'
  | 'cancelled'
  /** A tool that the call depends on failed before anybody was rung. */
  | 'pre_call_failed';

/** How an attempt ended, before retries are considered. */
export type AttemptEnd =
  /** No conversation came to be. */
  | { readonly kind: 'not_answered'; readonly failure: UnansweredCause }
  /** The callee answered. `hangupBy` tells who ended the signalling. */
  | { readonly kind: 'answered'; readonly reason: EndReason }
  /** The node that held the attempt is gone; nobody knows what the callee heard. */
  | { readonly kind: 'crashed' };

export type RetryClass = 'busy' | 'not_picked' | 'failed' | 'voicemail';

export interface Outcome {
  /** Status when there is no further attempt. */
  readonly final: Extract<CallStatus, 'completed' | 'failed' | 'error'>;
  readonly subStatus: string;
  /** The retry rule that applies; null: never dialled again. */
  readonly retry: RetryClass | null;
}

/** What an attempt's end means for the call (open-points, Calls). */
export function outcomeOf(end: AttemptEnd): Outcome {
  if (end.kind === 'crashed') return CRASHED;
  return end.kind === 'answered' ? answered(end.reason) : NOT_ANSWERED[end.failure];
}

const CRASHED: Outcome = { final: 'error', subStatus: 'UNKNOWN_AFTER_CRASH', retry: null };

const NOT_ANSWERED: Readonly<Record<UnansweredCause, Outcome>> = {
  busy: { final: 'failed', subStatus: 'BUSY', retry: 'busy' },
  no_answer: { final: 'failed', subStatus: 'NO_ANSWER', retry: 'not_picked' },
  // Declined: the person is there and did not want the call now.
  rejected: { final: 'failed', subStatus: 'BUSY', retry: 'busy' },
  // The number will not be better later.
  invalid_number: { final: 'failed', subStatus: 'NOT_ABLE_TO_CALL', retry: null },
  failed: { final: 'failed', subStatus: 'FAILED', retry: 'failed' },
  pre_call_failed: { final: 'failed', subStatus: 'PRE_CALL_API_FAILED', retry: 'failed' },
  // Ended by the API before an answer.
  cancelled: { final: 'failed', subStatus: 'USER_TERMINATED', retry: null },
};

function answered(reason: EndReason): Outcome {
  // The conversation broke for a reason of ours: the callee was rung and talked to, so it is not redialled.
  if (reason === 'FAILED') return { final: 'error', subStatus: 'FAILED', retry: null };
  if (reason === 'VOICEMAIL_DETECTED') {
    return { final: 'completed', subStatus: 'VOICEMAIL_DETECTED', retry: 'voicemail' };
  }
  return { final: 'completed', subStatus: reason, retry: null };
}
