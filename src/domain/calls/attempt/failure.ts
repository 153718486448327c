import {
  failureReason,
  unansweredCode,
  unansweredDetail,
  type FailureReason,
} from '../../../shared/failure-reason.ts';
import type { Outcome } from './next-step.ts';
import type { Ending } from './settle.ts';

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
