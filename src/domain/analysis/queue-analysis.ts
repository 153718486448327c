import type { Tx } from '../../store/database.ts';
import { insertJob } from '../../store/jobs.ts';

export const ANALYSIS_JOB = 'call.analyse';

/**
 * Queues the analysis of an ended call, once. The job tells of it and then of the end of all processing, so whoever
 * queues it tells neither.
 */
export const queueAnalysis = (tx: Tx, workspaceId: string, callId: string, at: Date): Promise<void> =>
  insertJob(tx, { workspaceId, kind: ANALYSIS_JOB, dedup: callId, payload: { workspaceId, callId } }, at);
