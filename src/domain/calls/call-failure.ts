import { queuedFailure, storedFailure, type FailureReason } from '../../shared/failure-reason.ts';

/** A call that is over, with what is stored of its last attempt. */
interface EndedCall {
  readonly status: string;
  readonly subStatus: string;
  /** Null: it was never attempted. */
  readonly last: {
    readonly failureCode: string | null;
    readonly reason: string | null;
    readonly sipCode: number | null;
  } | null;
}

/** Why a call as a whole failed: its last attempt's failure, or why it ended in the queue. Null: it did not fail. */
export function callFailure({ status, subStatus, last }: EndedCall): FailureReason | null {
  if (status !== 'failed' && status !== 'error') return null;
  // Between retries, a call may end because its workspace has no credits.
  return last === null || subStatus === 'INSUFFICIENT_BALANCE'
    ? queuedFailure(subStatus)
    : storedFailure(last);
}
