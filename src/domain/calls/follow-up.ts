import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid } from '../../shared/ids.ts';
import { deleteFollowUp, findFollowUp, insertFollowUp, type FollowUp } from '../../store/calls/follow-ups.ts';
import { findCall } from '../../store/calls/history.ts';
import type { Db } from '../../store/database.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';

export type { FollowUp };

/**
 * Marks a call as done, so that lists of people who need a person leave it out, or takes the mark away. Idempotent: a
 * call that is done keeps who marked it first. Returns the mark; null: the call is not done. Throws 404.
 */
export async function markFollowUp(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  workspaceId: string,
  change: ChangeEntry | null,
  of: { readonly callId: string; readonly isDone: boolean; readonly by: string },
): Promise<FollowUp | null> {
  const call = isUuid(of.callId) ? await findCall(db, workspaceId, of.callId) : undefined;
  if (call === undefined) throw errors.callNotFound();
  return commitChange(db, change, async (tx) => {
    if (!of.isDone) {
      await deleteFollowUp(tx, workspaceId, call.id);
      return null;
    }
    await insertFollowUp(tx, workspaceId, call.id, { doneBy: of.by, doneAt: new Date(clock.now()) });
    return findFollowUp(tx, workspaceId, call.id);
  });
}
