import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import type { Db } from '../../store/database.ts';
import { findCall } from '../../store/calls/history.ts';
import type { Clock } from '../../shared/clock.ts';
import { stopQueued } from './stop-queued.ts';
import type { ChangeEntry } from '../audit/change-entry.ts';

/** Hangs up a call on whichever node carries it; false when none does. */
export type HangUp = (call: { workspaceId: string; callId: string }) => Promise<boolean>;

/**
 * Ends a live call (open-points, POST /calling/{call_id}/hangup) and writes the audit entry before the hangup. Cancels a
 * call that waits to be dialled. Throws 404 for an unknown call and 400 for one that has ended.
 */
export async function hangUpCall(
  deps: { db: Db; clock: Clock; hangUp: HangUp },
  workspaceId: string,
  change: ChangeEntry | null,
  callId: string,
): Promise<{ callId: string; isCancelled: boolean }> {
  const call = isUuid(callId) ? await findCall(deps.db, workspaceId, callId) : undefined;
  if (call === undefined) throw errors.callNotFound();
  if (call.status === 'registered' || call.status === 'retry') {
    const end = { subStatus: 'USER_TERMINATED', withdraw: true };
    const stopped = await stopQueued(deps, workspaceId, change, { callIds: [call.id] }, end);
    if (stopped > 0) return { callId: call.id, isCancelled: true };
    // The dialer took the call in between, so it may be live now.
  } else if (call.status !== 'ongoing') throw errors.callNotLive();
  await change?.writeBefore();
  if (!(await deps.hangUp({ workspaceId, callId: call.id }))) throw errors.callNotLive();
  return { callId: call.id, isCancelled: false };
}
