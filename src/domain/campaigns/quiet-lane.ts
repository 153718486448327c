import type { Clock } from '../../shared/clock.ts';
import { lockCalls } from '../../store/call-facts.ts';
import type { Db } from '../../store/database.ts';
import { waitingInLane } from '../../store/queued-calls.ts';
import { throughOutage } from '../../store/transient.ts';
import { tryLane } from '../../store/campaigns.ts';
import { endWaiting } from '../calls/end-queued.ts';
import { invitesHaveLeft } from '../calls/leaving-invites.ts';
import { giveBack, RETRY_FOR_MS, STEP } from '../calls/stop-queued.ts';

interface Deps {
  readonly db: Db;
  readonly clock: Clock;
}

/**
 * After a campaign stopped being dialled: takes back the claims that were not journalled as dialling (`claimed`, as
 * they were when it stopped), cancels them where `cancelAs` says so, and waits for the INVITEs that were on their way
 * out. When it resolves no INVITE of the campaign can leave any more. Returns how many claims came to nothing.
 */
export async function quietLane(
  deps: Deps,
  workspaceId: string,
  laneId: string,
  claimed: readonly string[],
  cancelAs: string | null,
): Promise<number> {
  let stopped = 0;
  for (let from = 0; from < claimed.length; from += STEP) {
    const ids = claimed.slice(from, from + STEP);
    stopped += await throughOutage(() => takeBack(deps, workspaceId, ids, cancelAs), RETRY_FOR_MS);
  }
  await invitesHaveLeft(deps, workspaceId, { laneId });
  return stopped;
}

function takeBack(
  deps: Deps,
  workspaceId: string,
  ids: readonly string[],
  cancelAs: string | null,
): Promise<number> {
  return deps.db.transaction().execute(async (tx) => {
    const at = new Date(deps.clock.now());
    const waiting = [];
    for (const call of await lockCalls(tx, workspaceId, ids)) waiting.push(await giveBack(tx, call, at));
    if (cancelAs !== null) {
      await endWaiting(tx, workspaceId, waiting, { status: 'cancelled', subStatus: cancelAs }, at);
    }
    // One that the dialer itself gave back may have been cancelled by the keeper before us.
    return waiting.filter(({ status }) => status !== 'ongoing' && !DIALLED.has(status)).length;
  });
}

/** Where a call can only come after it was dialled. */
const DIALLED = new Set<string>(['completed', 'failed', 'error']);

/**
 * Cancels calls of a campaign that wait, with the events of their end: at most `steps` steps, so that large campaigns
 * take turns. One process at a time works on a campaign. False when there was nothing to do or another one is at it.
 */
export async function cancelWaiting(
  deps: Deps,
  workspaceId: string,
  laneId: string,
  subStatus: string,
  steps: number,
): Promise<boolean> {
  for (let step = 0; step < steps; step += 1) {
    const found = await throughOutage(() => cancelStep(deps, workspaceId, laneId, subStatus), RETRY_FOR_MS);
    if (found === 0) return step > 0;
  }
  return true;
}

function cancelStep(deps: Deps, workspaceId: string, laneId: string, subStatus: string): Promise<number> {
  return deps.db.transaction().execute(async (tx) => {
    if (!(await tryLane(tx, laneId))) return 0;
    const ids = await waitingInLane(tx, workspaceId, laneId, STEP);
    if (ids.length === 0) return 0;
    const at = new Date(deps.clock.now());
    const calls = await lockCalls(tx, workspaceId, ids);
    await endWaiting(tx, workspaceId, calls, { status: 'cancelled', subStatus }, at);
    return ids.length;
  });
}
