import type { Clock } from '../../shared/clock.ts';
import { findCall } from '../../store/calls/history.ts';
import { findEventLog } from '../../store/calls/records.ts';
import type { Db, Tx } from '../../store/database.ts';
import { insertJob } from '../../store/jobs.ts';
import { declaredSettings } from '../../store/json/workspace-settings.ts';
import {
  hasEventLog,
  insertCheck,
  insertFindings,
  lockEventLog,
  type NewFinding,
} from '../../store/quality/checks.ts';
import { readSettings } from '../../store/tenants/settings.ts';
import { unpackedLog } from '../calls/replay.ts';
import { isSampled } from './sample.ts';
import { scoreCall } from './score-call.ts';

/** The job that runs the detectors over the event log of a call. */
export const CHECK_JOB = 'call.check';

/** What detectors find in a written event log; at most one finding of each. */
export type Detect = (log: string, workspaceId: string) => Promise<readonly NewFinding[]>;

/** Queues the check of an ended call with an event log, if the workspace's sample has it. */
export async function queueCheck(tx: Tx, workspaceId: string, callId: string, at: Date): Promise<void> {
  const { checkedCallsPercent } = declaredSettings(await readSettings(tx, workspaceId));
  if (!isSampled(callId, checkedCallsPercent) || !(await hasEventLog(tx, workspaceId, callId))) return;
  await insertJob(tx, { workspaceId, kind: CHECK_JOB, dedup: callId, payload: { workspaceId, callId } }, at);
}

/**
 * Runs the detectors over the event log of a call and stores what they find. Idempotent. Stores nothing for a call without a log, also
 * if its person is erased meanwhile.
 */
export async function checkCall(
  { db, clock, detect }: { readonly db: Db; readonly clock: Clock; readonly detect: Detect },
  workspaceId: string,
  callId: string,
): Promise<void> {
  const call = await findCall(db, workspaceId, callId);
  const packed = await findEventLog(db, workspaceId, callId);
  if (call === undefined || packed === null) return;
  const findings = await detect(await unpackedLog(packed), workspaceId);
  await db.transaction().execute(async (tx) => {
    if (!(await lockEventLog(tx, workspaceId, callId))) return;
    const at = new Date(clock.now());
    if (!(await insertCheck(tx, workspaceId, call, at))) return;
    await insertFindings(tx, workspaceId, call, findings, at);
    await scoreCall(tx, workspaceId, call, findings);
  });
}
