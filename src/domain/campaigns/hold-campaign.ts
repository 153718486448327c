import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import {
  lockCampaign,
  moveCampaign,
  type CampaignRow,
  type LockedWorkspace,
} from '../../store/campaigns/campaigns.ts';
import type { Db, Tx } from '../../store/database.ts';
import { hintDue } from '../../store/scheduler/hints.ts';
import { claimedOfCampaign } from '../../store/calls/queued-calls.ts';
import { pulsePrice, type Rate } from '../credits/price.ts';
import { activeState, isRunning } from './campaign-state.ts';
import { knownCampaign } from './read-campaigns.ts';
import { quiesceCampaign } from './quiesce-campaign.ts';
import { reasonSentence } from './state-reason.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';

interface Deps {
  readonly db: Db;
  readonly clock: Clock;
}

/** True when the unlocked balance covers one billing pulse. */
export const canPay = (workspace: Omit<LockedWorkspace, 'settings'>, rate: Rate): boolean =>
  workspace.unlimited || workspace.credits - workspace.lockedCredits >= pulsePrice(rate);

/**
 * Pauses a running campaign; live calls continue. No INVITE of the campaign leaves after this resolves. Pausing a
 * paused campaign changes nothing. Throws 404, 400.
 */
export async function pauseCampaign(
  deps: Deps,
  workspaceId: string,
  change: ChangeEntry | null,
  campaignId: string,
): Promise<void> {
  const campaign = await knownCampaign(deps.db, workspaceId, campaignId);
  const claimed = await commitChange(deps.db, change, async (tx) => {
    const locked = await lockCampaign(tx, workspaceId, campaign.id);
    if (locked === undefined) throw errors.campaignNotFound();
    const { state } = locked.campaign;
    if (!isRunning(state)) throw errors.campaignNotRunning();
    const at = new Date(deps.clock.now());
    if (state !== 'paused') await pauseLocked(tx, workspaceId, campaign.id, reasonSentence('by_request'), at);
    return claimedOfCampaign(tx, workspaceId, campaign.id);
  });
  await quiesceCampaign(deps, workspaceId, campaign.id, claimed, null);
}

/** Pauses a campaign whose row the caller has locked; `message` is shown to users. */
export const pauseLocked = (
  tx: Tx,
  workspaceId: string,
  campaignId: string,
  message: string,
  at: Date,
): Promise<void> => moveCampaign(tx, workspaceId, campaignId, { state: 'paused', message }, at);

/**
 * Resumes a campaign that was paused or ran out of credits. Its breaker counts only attempts that begin after the
 * resume. Throws 404, 400; 402 while the balance does not cover one pulse.
 */
export async function resumeCampaign(
  deps: Deps & { readonly rate: Rate; readonly wakeScheduler: () => void },
  workspaceId: string,
  change: ChangeEntry | null,
  campaignId: string,
): Promise<'scheduled' | 'ongoing'> {
  const campaign = await knownCampaign(deps.db, workspaceId, campaignId);
  const state = await commitChange(deps.db, change, async (tx) => {
    const locked = await lockCampaign(tx, workspaceId, campaign.id);
    if (locked === undefined) throw errors.campaignNotFound();
    const { state: before, endAt } = locked.campaign;
    if (before !== 'paused' && before !== 'insufficient_balance') throw errors.campaignNotHeld();
    const now = deps.clock.now();
    if (endAt !== null && endAt.getTime() <= now) throw errors.campaignTimeOver();
    if (locked.campaign.template === null && !canPay(locked.workspace, deps.rate))
      throw errors.insufficientForCampaign();
    return resumeLocked(tx, workspaceId, locked.campaign, now);
  });
  deps.wakeScheduler();
  return state;
}

/**
 * Resumes a campaign whose row the caller has locked. The scheduling hint may be too early, which costs the scheduler
 * one empty batch; a hint that is too late would leave due calls undialled.
 */
export async function resumeLocked(
  tx: Tx,
  workspaceId: string,
  campaign: CampaignRow,
  now: number,
): Promise<'scheduled' | 'ongoing'> {
  const at = new Date(now);
  const dueAt = new Date(Math.max(now, campaign.startAt?.getTime() ?? now));
  const state = activeState(campaign.startedAt);
  const move = { state, message: null, breakerSince: at, dueAt, isFromStandstill: true };
  await moveCampaign(tx, workspaceId, campaign.id, move, at);
  await hintDue(tx, workspaceId, dueAt);
  return state;
}
