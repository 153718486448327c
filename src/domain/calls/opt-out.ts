import type { Clock } from '../../shared/clock.ts';
import type { AttemptRef } from '../../store/calls/attempts.ts';
import { lockCall, type CallFacts } from '../../store/calls/facts.ts';
import type { Db, Tx } from '../../store/database.ts';
import { cancelMessages } from '../../store/campaigns/messages.ts';
import { addDoNotCall, queuedTo } from '../../store/numbers/do-not-call.ts';
import { endQueued } from './attempt/end-queued.ts';

/**
 * Stores an opt-out during the call, so that no other call reaches the person meanwhile. The settlement stores it again,
 * which is idempotent.
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

/** Messages of campaigns to one number that an opt-out cancels at once; further ones are refused when they are due. */
const MOST_MESSAGES = 1_000;

/** Adds the person's number to the do-not-call list and cancels every queued call to it. */
export async function optOut(tx: Tx, call: CallFacts, at: Date): Promise<void> {
  // The person of a browser call has no number that could be called.
  if (call.callType === 'webcall') return;
  await optOutNumber(tx, call.workspaceId, call.callType === 'inbound' ? call.fromNumber : call.toNumber, at);
}

/** The same for a number, whichever channel the person used. */
export async function optOutNumber(tx: Tx, workspaceId: string, number: string, at: Date): Promise<void> {
  await addDoNotCall(tx, workspaceId, number, 'OPTED_OUT', at);
  await cancelMessages(tx, workspaceId, { numbers: [number] }, 'OPTED_OUT', at, MOST_MESSAGES);
  for (const id of await queuedTo(tx, workspaceId, number)) {
    await endQueued(tx, workspaceId, id, { status: 'cancelled', subStatus: 'OPTED_OUT' }, at);
  }
}
