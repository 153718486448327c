import type { Tx } from '../../store/database.ts';
import { insertJobs } from '../../store/jobs.ts';

export const ANALYSIS_JOB = 'call.analyse';

/**
 * Queues the analyses of ended calls, once. Their jobs tell of them and then of the end of all processing, so whoever
 * queues them tells neither.
 */
export const queueAnalyses = (
  tx: Tx,
  workspaceId: string,
  callIds: readonly string[],
  at: Date,
  dueAt: Date = at,
): Promise<void> =>
  insertJobs(
    tx,
    callIds.map((callId) => ({
      workspaceId,
      kind: ANALYSIS_JOB,
      dedup: callId,
      payload: { workspaceId, callId },
      dueAt,
    })),
    at,
  );
