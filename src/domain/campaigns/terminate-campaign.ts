import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { countCampaign, waitingOf } from '../../store/campaigns/counts.ts';
import { lockCampaign, moveCampaign } from '../../store/campaigns/campaigns.ts';
import type { Db } from '../../store/database.ts';
import { claimedOfCampaign, withdrawRetries } from '../../store/calls/queued-calls.ts';
import { isOver } from './campaign-state.ts';
import { STOP_BATCH, stopQueued } from '../calls/stop-queued.ts';
import { cancelWaiting, quiesceCampaign } from './quiesce-campaign.ts';
import { reasonSentence } from './state-reason.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';

/** Up to this many waiting calls are cancelled before the answer; of a larger campaign the keeper cancels them. */
const AT_ONCE = 2000;
export const TERMINATED = 'USER_TERMINATED';

/**
 * Terminates a campaign of any size with one state change: the scheduler claims no waiting call any more, claims that
 * are not dialled yet are released, and the calls are cancelled afterwards. Returns how many calls that stopped,
 * waiting and claimed ones. For a campaign in a final state only its callbacks are cancelled. Throws 404.
 */
export async function terminateCampaign(
  deps: { readonly db: Db; readonly clock: Clock },
  workspaceId: string,
  change: ChangeEntry | null,
  campaignId: string,
): Promise<number> {
  const stopped = await commitChange(deps.db, change, async (tx) => {
    const locked = await lockCampaign(tx, workspaceId, campaignId);
    if (locked === undefined) throw errors.campaignNotFound();
    const { campaign } = locked;
    if (isOver(campaign.state)) return null;
    const waiting = waitingOf(await countCampaign(tx, workspaceId, campaign.id));
    const claimed = await claimedOfCampaign(tx, workspaceId, campaign.id);
    const at = new Date(deps.clock.now());
    await moveCampaign(
      tx,
      workspaceId,
      campaign.id,
      { state: 'terminated', message: reasonSentence('terminated'), endedAt: at },
      at,
    );
    return { waiting, claimed };
  });
  const callbacks = await endCallbacks(deps, workspaceId, campaignId);
  if (stopped === null) return callbacks;
  const undialled = await quiesceCampaign(deps, workspaceId, campaignId, stopped.claimed, TERMINATED);
  await withdrawRetries(deps.db, workspaceId, { campaignId: campaignId });
  if (stopped.waiting <= AT_ONCE) {
    await cancelWaiting(deps, workspaceId, campaignId, TERMINATED, AT_ONCE / STOP_BATCH + 1);
  }
  return stopped.waiting + undialled + callbacks;
}

/** Cancels the callbacks that callees requested in the campaign's calls; live ones get no retry. */
async function endCallbacks(
  deps: { readonly db: Db; readonly clock: Clock },
  workspaceId: string,
  campaignId: string,
): Promise<number> {
  const scope = { callbacksOf: campaignId };
  await withdrawRetries(deps.db, workspaceId, scope);
  return stopQueued(deps, workspaceId, null, scope, { subStatus: TERMINATED, withdraw: true });
}
