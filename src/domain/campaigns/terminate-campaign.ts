import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { countCampaign, waitingOf } from '../../store/campaign-counts.ts';
import { lockCampaign, moveCampaign } from '../../store/campaigns.ts';
import type { Db } from '../../store/database.ts';
import { claimedInLane, withdrawRetries } from '../../store/queued-calls.ts';
import { isOver } from './campaign-state.ts';
import { STEP, stopQueued } from '../calls/stop-queued.ts';
import { cancelWaiting, quietLane } from './quiet-lane.ts';

/** The calls of a campaign with no more than this are cancelled before the answer; the keeper does it for others. */
const AT_ONCE = 2000;
export const TERMINATED = 'USER_TERMINATED';

/**
 * Ends a campaign, whatever its size, by its state alone: what waits is never claimed again, what was claimed is taken
 * back, and its calls are cancelled one after another behind it. Returns how many calls that stopped: those that
 * waited, and those that were claimed and not yet dialled. One that is over stays as it is, and only its callbacks
 * are left to stop. Throws 404.
 */
export async function terminateCampaign(
  deps: { readonly db: Db; readonly clock: Clock },
  workspaceId: string,
  campaignId: string,
): Promise<number> {
  const stopped = await deps.db.transaction().execute(async (tx) => {
    const locked = await lockCampaign(tx, workspaceId, campaignId);
    if (locked === undefined) throw errors.campaignNotFound();
    const { campaign } = locked;
    if (isOver(campaign.state)) return null;
    const waiting = waitingOf(await countCampaign(tx, workspaceId, campaign.id));
    const claimed = await claimedInLane(tx, workspaceId, campaign.id);
    const at = new Date(deps.clock.now());
    await moveCampaign(
      tx,
      workspaceId,
      campaign.id,
      { state: 'terminated', message: 'Terminated by request', endedAt: at },
      at,
    );
    return { waiting, claimed };
  });
  const callbacks = await endCallbacks(deps, workspaceId, campaignId);
  if (stopped === null) return callbacks;
  const undialled = await quietLane(deps, workspaceId, campaignId, stopped.claimed, TERMINATED);
  await withdrawRetries(deps.db, workspaceId, { laneId: campaignId });
  if (stopped.waiting <= AT_ONCE) {
    await cancelWaiting(deps, workspaceId, campaignId, TERMINATED, AT_ONCE / STEP + 1);
  }
  return stopped.waiting + undialled + callbacks;
}

/** Cancels the callbacks that were asked for in the campaign's calls; those that talk are not tried again. */
async function endCallbacks(
  deps: { readonly db: Db; readonly clock: Clock },
  workspaceId: string,
  campaignId: string,
): Promise<number> {
  const scope = { callbacksOf: campaignId };
  await withdrawRetries(deps.db, workspaceId, scope);
  return stopQueued(deps, workspaceId, scope, { subStatus: TERMINATED, withdraw: true });
}
