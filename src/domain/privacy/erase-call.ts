import { ANALYSIS_JOB } from '../calls/queue-analyses.ts';
import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid } from '../../shared/ids.ts';
import type { Db, Tx } from '../../store/database.ts';
import { lockForErasure } from '../../store/privacy/erasure.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';
import { callsToFinish } from '../../store/analysis/analyses.ts';
import { lockCalls } from '../../store/calls/facts.ts';
import { eraseCallData, personsOf } from '../../store/privacy/call-data.ts';
import { appendProcessingEnds } from '../calls/end-processing.ts';
import { eraseRequests } from './erase-requests.ts';

/**
 * Erases one ended call's personal data: recording, transcript, name and values, analyses, tool log, and their copies
 * in events. Its row stays, with the person's number masked. Idempotent. Throws 404, and 409 for a call that has not
 * ended.
 */
export async function eraseCall(
  deps: { db: Db; clock: Clock },
  workspaceId: string,
  change: ChangeEntry | null,
  callId: string,
): Promise<{ callId: string; erasedAt: Date }> {
  if (!isUuid(callId)) throw errors.callNotFound();
  return commitChange(deps.db, change, async (tx) => {
    const [call] = await lockForErasure(tx, workspaceId, [callId]);
    if (call === undefined) throw errors.callNotFound();
    if (!call.ended) throw errors.callNotEnded();
    const at = new Date(deps.clock.now());
    await eraseEnded(tx, workspaceId, [call.id], at);
    return { callId: call.id, erasedAt: at };
  });
}

/**
 * Erases the personal data of ended calls that the caller has locked. Emits their pending all_processing_completed
 * first, because the erasure deletes the receivers that the calls themselves named.
 */
export async function eraseEnded(
  tx: Tx,
  workspaceId: string,
  callIds: readonly string[],
  at: Date,
): Promise<void> {
  const open = await callsToFinish(tx, workspaceId, ANALYSIS_JOB, callIds);
  if (open.length > 0)
    await appendProcessingEnds(tx, workspaceId, await lockCalls(tx, workspaceId, open), at);
  const numbers = await personsOf(tx, workspaceId, callIds);
  await eraseCallData(tx, workspaceId, callIds, at);
  await eraseRequests(tx, workspaceId, { numbers, ids: callIds }, at);
}
