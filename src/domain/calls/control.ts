import { errors } from '../../errors.ts';
import type { CallOrder } from '../../shared/call-order.ts';
import { isUuid } from '../../shared/ids.ts';
import { findCall } from '../../store/calls/history.ts';
import type { Db } from '../../store/database.ts';
import type { ChangeEntry } from '../audit/change-entry.ts';

/** Carries an order out in the process that has the call; false when no process has it answered. */
export type ControlCall = (
  call: { workspaceId: string; callId: string },
  order: CallOrder,
) => Promise<boolean>;

/**
 * Whispers to the agent of a live call, has it say a sentence, takes the call over or hands it back. The audit entry is written
 * first. Throws 404 for an unknown call and 400 for one that is not answered or has ended.
 */
export async function controlCall(
  deps: { db: Db; control: ControlCall },
  workspaceId: string,
  change: ChangeEntry | null,
  callId: string,
  order: CallOrder,
): Promise<{ callId: string }> {
  const call = isUuid(callId) ? await findCall(deps.db, workspaceId, callId) : undefined;
  if (call === undefined) throw errors.callNotFound();
  if (call.status !== 'ongoing') throw errors.callNotLive();
  await change?.writeBefore();
  if (!(await deps.control({ workspaceId, callId: call.id }, order))) throw errors.callNotLive();
  return { callId: call.id };
}
