import { errors } from '../../errors.ts';
import type { CallOrder } from '../../shared/call-order.ts';
import { isUuid } from '../../shared/ids.ts';
import { findCall } from '../../store/calls/history.ts';
import { readTransferRules } from '../../store/calls/transfer-legs.ts';
import type { Db } from '../../store/database.ts';
import type { ChangeEntry } from '../audit/change-entry.ts';
import { checkTransfer } from '../tools/check-tools.ts';

/** Carries an order out in the process that has the call; false when no process has it answered. */
export type ControlCall = (
  call: { workspaceId: string; callId: string },
  order: CallOrder,
) => Promise<boolean>;

/**
 * Whispers to the agent of a live call, has it say a sentence, takes the call over, hands it back, puts the far side on hold, transfers the caller, or invites
 * somebody to the call and removes them. The audit entry is written first. Throws 404 for an unknown call, 400 for one that is not answered or has ended, and 422 for a
 * target that calls may not be transferred to. `countries`: destinations of ALLOWED_COUNTRIES.
 */
export async function controlCall(
  deps: { db: Db; control: ControlCall; countries?: readonly string[] | undefined },
  workspaceId: string,
  change: ChangeEntry | null,
  callId: string,
  order: CallOrder,
): Promise<{ callId: string }> {
  const call = isUuid(callId) ? await findCall(deps.db, workspaceId, callId) : undefined;
  if (call === undefined) throw errors.callNotFound();
  if (call.status !== 'ongoing') throw errors.callNotLive();
  if (order.operation === 'transfer' || order.operation === 'invite') {
    const rules = await deps.db.transaction().execute((tx) => readTransferRules(tx, workspaceId));
    const isTransfer = order.operation === 'transfer';
    const target = { mode: isTransfer ? order.mode : ('warm' as const), transferTo: order.to };
    const field = isTransfer ? 'transfer_to' : 'invite_to';
    checkTransfer(field, target, { ...rules, countries: deps.countries });
  }
  await change?.writeBefore();
  if (!(await deps.control({ workspaceId, callId: call.id }, order))) throw errors.callNotLive();
  return { callId: call.id };
}
