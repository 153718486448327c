import { mayDial } from '../domain/workspaces/destinations.ts';
import { workspaceLimits } from '../domain/workspaces/limits.ts';
import type { Clock } from '../shared/clock.ts';
import { holdNode, type AttemptRef } from '../store/attempts.ts';
import type { Db } from '../store/database.ts';
import { journalTransferLeg, transferringCall } from '../store/transfer-legs.ts';
import { holdTrunks, limitedTrunks } from '../store/trunks.ts';
import { take, waitMs } from './pacing.ts';
import { pacesOf, trunkRoom } from './turn-facts.ts';

export type TransferPermit =
  | { readonly go: true; readonly from: string; readonly displayName: string | null }
  | { readonly go: false; readonly reason: string }
  /** Only the trunk's pace says no. */
  | { readonly go: 'later'; readonly waitMs: number };

const no = (reason: string): TransferPermit => ({ go: false, reason });
const isNumber = (to: string): boolean => to.startsWith('+');

/**
 * The gate of a transfer's second leg, right before its INVITE: do-not-call lists, where the workspace may dial, the
 * trunk's channels and pace. When it says go, the leg is in the database and counts among its trunk's calls.
 */
export function permitTransfer(
  deps: { readonly db: Db; readonly clock: Clock },
  ref: AttemptRef,
  trunkId: string,
  to: string,
): Promise<TransferPermit> {
  return deps.db.transaction().execute(async (tx) => {
    if (!(await holdNode(tx, ref.nodeId))) return no('this process does not hold the call any more');
    const call = await transferringCall(tx, ref, to);
    if (call === null) return no('the call is over');
    if (call.doNotCall) return no('the number is on the do-not-call list');
    if (isNumber(to) && !mayDial(workspaceLimits(call.settings), to)) {
      return no('the workspace does not dial this destination');
    }
    // Shared with other workspaces, so locked last and for as short as can be.
    await holdTrunks(tx, [trunkId]);
    const trunks = await limitedTrunks(tx, [trunkId]);
    const now = deps.clock.now();
    if ((trunkRoom(trunks, new Map()).get(trunkId) ?? 0) < 1) return no('every line of the trunk is in use');
    const pace = pacesOf(trunks, now).get(trunkId) ?? null;
    if (pace !== null && waitMs(pace) > 0) return { go: 'later', waitMs: waitMs(pace) };
    const after = pace === null ? null : take(pace, 1);
    const spent = after === null ? null : { tokens: after.tokens, at: new Date(after.at) };
    await journalTransferLeg(tx, ref, trunkId, spent, new Date(now));
    return { go: true, from: call.ourNumber, displayName: call.displayName };
  });
}
