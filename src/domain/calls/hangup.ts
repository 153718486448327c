import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import type { Db } from '../../store/database.ts';
import { findCall } from '../../store/history.ts';

/** Asks whichever node carries the call to end it; false when no node carries it any more. */
export type HangUp = (call: { workspaceId: string; callId: string }) => Promise<boolean>;

/**
 * Ends a live call (open-points, POST /calling/{call_id}/hangup); `before` runs once it is certain that it is asked
 * for. 404 for an unknown call, 400 when it is not live.
 */
export async function hangUpCall(
  deps: { db: Db; hangUp: HangUp },
  workspaceId: string,
  callId: string,
  before: () => Promise<void> = async () => undefined,
): Promise<{ callId: string }> {
  const call = isUuid(callId) ? await findCall(deps.db, workspaceId, callId) : undefined;
  if (call === undefined) throw errors.callNotFound();
  if (call.status !== 'ongoing') throw errors.callNotLive();
  await before();
  if (!(await deps.hangUp({ workspaceId, callId: call.id }))) throw errors.callNotLive();
  return { callId: call.id };
}
