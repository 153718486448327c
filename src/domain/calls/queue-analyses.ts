import type { Tx } from '../../store/database.ts';
import { insertJobs } from '../../store/jobs.ts';

export const ANALYSIS_JOB = 'call.analyse';

/**
 * Queues the analyses of ended calls, at most once per call. The job emits the analysis events and
 * all_processing_completed; the code that queues it emits neither.
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
