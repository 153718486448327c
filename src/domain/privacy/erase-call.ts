import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid } from '../../shared/ids.ts';
import type { Db } from '../../store/database.ts';
import { lockForErasure } from '../../store/erasure.ts';
import { eraseEnded } from './erase-ended.ts';

/**
 * Erases one ended call's personal data: recording, transcript, name and values, analyses, tool log, and the copies
 * in events. Its row stays, with the person's number masked. Doing it again changes nothing more. Throws 404, and
 * 409 for a call that has not ended.
 */
export async function eraseCall(
  deps: { db: Db; clock: Clock },
  workspaceId: string,
  callId: string,
): Promise<{ callId: string; erasedAt: Date }> {
  if (!isUuid(callId)) throw errors.callNotFound();
  return deps.db.transaction().execute(async (tx) => {
    const [call] = await lockForErasure(tx, workspaceId, [callId]);
    if (call === undefined) throw errors.callNotFound();
    if (!call.ended) throw errors.callNotEnded();
    const at = new Date(deps.clock.now());
    await eraseEnded(tx, workspaceId, [call.id], at);
    return { callId: call.id, erasedAt: at };
  });
}
