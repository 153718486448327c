import type { Clock } from '../../shared/clock.ts';
import type { AttemptRef } from '../../store/attempts.ts';
import { lockCall, type CallFacts } from '../../store/call-facts.ts';
import type { Db, Tx } from '../../store/database.ts';
import { addDoNotCall, queuedTo } from '../../store/do-not-call.ts';
import { endQueued } from './end-queued.ts';

/**
 * The person on the line asks not to be called, in the middle of the call: written at once, so that nobody else
 * rings them while they still talk. The call's settling writes it again, which changes nothing.
 */
export function optOutOfCall(
  deps: { readonly db: Db; readonly clock: Clock },
  ref: Pick<AttemptRef, 'workspaceId' | 'callId'>,
): Promise<void> {
  return deps.db.transaction().execute(async (tx) => {
    const call = await lockCall(tx, ref.workspaceId, ref.callId);
    if (call !== null) await optOut(tx, call, new Date(deps.clock.now()));
  });
}

/** Lists the person's number, and cancels whatever still waits to ring them. */
export async function optOut(tx: Tx, call: CallFacts, at: Date): Promise<void> {
  const number = call.callType === 'inbound' ? call.fromNumber : call.toNumber;
  await addDoNotCall(tx, call.workspaceId, number, 'OPTED_OUT', at);
  for (const id of await queuedTo(tx, call.workspaceId, number)) {
    await endQueued(tx, call.workspaceId, id, { status: 'cancelled', subStatus: 'OPTED_OUT' }, at);
  }
}
