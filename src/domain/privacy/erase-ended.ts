import { callsToFinish } from '../../store/analyses.ts';
import { lockCalls } from '../../store/call-facts.ts';
import type { Tx } from '../../store/database.ts';
import { eraseCallData } from '../../store/erasure.ts';
import { ANALYSIS_JOB } from '../analysis/queue-analysis.ts';
import { tellEnds } from '../calls/end-processing.ts';

/**
 * Erases the personal data of ended calls the caller has locked. The end of their processing, where it is not told
 * yet, is told now: afterwards nobody knows the receivers that they themselves named.
 */
export async function eraseEnded(
  tx: Tx,
  workspaceId: string,
  callIds: readonly string[],
  at: Date,
): Promise<void> {
  const open = await callsToFinish(tx, workspaceId, ANALYSIS_JOB, callIds);
  if (open.length > 0) await tellEnds(tx, workspaceId, await lockCalls(tx, workspaceId, open), at);
  await eraseCallData(tx, workspaceId, callIds, at);
}
