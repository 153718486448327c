import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { lockCampaign, moveCampaign, type CampaignRow, type LockedWorkspace } from '../../store/campaigns.ts';
import type { Db, Tx } from '../../store/database.ts';
import { hintDue } from '../../store/new-call.ts';
import { claimedInLane } from '../../store/queued-calls.ts';
import { pulsePrice, type Rate } from '../credits/price.ts';
import { activeState, isRunning } from './campaign-state.ts';
import { knownCampaign } from './read-campaigns.ts';
import { quietLane } from './quiet-lane.ts';

interface Deps {
  readonly db: Db;
  readonly clock: Clock;
}

/** Whether the workspace can pay for the start of a call now. */
export const canPay = (workspace: Omit<LockedWorkspace, 'settings'>, rate: Rate): boolean =>
  workspace.unlimited || workspace.credits - workspace.locked_credits >= pulsePrice(rate);

/**
 * Stops a running campaign's calls from being dialled until it is resumed; live ones go on. No INVITE of it leaves
 * after this resolves. A paused one stays as it is. Throws 404 and 400.
 */
export async function pauseCampaign(deps: Deps, workspaceId: string, campaignId: string): Promise<void> {
  const campaign = await knownCampaign(deps.db, workspaceId, campaignId);
  const claimed = await deps.db.transaction().execute(async (tx) => {
    const locked = await lockCampaign(tx, workspaceId, campaign.id);
    if (locked === undefined) throw errors.campaignNotFound();
    const { state } = locked.campaign;
    if (!isRunning(state)) throw errors.campaignNotRunning();
    const at = new Date(deps.clock.now());
    if (state !== 'paused') await pauseLocked(tx, workspaceId, campaign.id, 'Paused by request', at);
    return claimedInLane(tx, workspaceId, campaign.id);
  });
  await quietLane(deps, workspaceId, campaign.id, claimed, null);
}

/** Pauses a campaign whose row is locked, and says why. */
export const pauseLocked = (
  tx: Tx,
  workspaceId: string,
  campaignId: string,
  message: string,
  at: Date,
): Promise<void> => moveCampaign(tx, workspaceId, campaignId, { state: 'paused', message }, at);

/**
 * Lets a campaign go on that was paused or ran out of credits; its breaker looks only at what comes after. Throws 404,
 * 400, and 402 while the balance does not cover one pulse.
 */
export async function resumeCampaign(
  deps: Deps & { readonly rate: Rate; readonly notify: () => void },
  workspaceId: string,
  campaignId: string,
): Promise<'scheduled' | 'ongoing'> {
  const campaign = await knownCampaign(deps.db, workspaceId, campaignId);
  const state = await deps.db.transaction().execute(async (tx) => {
    const locked = await lockCampaign(tx, workspaceId, campaign.id);
    if (locked === undefined) throw errors.campaignNotFound();
    const { state: before, end_at: endAt } = locked.campaign;
    if (before !== 'paused' && before !== 'insufficient_balance') throw errors.campaignNotHeld();
    const now = deps.clock.now();
    if (endAt !== null && endAt.getTime() <= now) throw errors.campaignTimeOver();
    if (!canPay(locked.workspace, deps.rate)) throw errors.insufficientForCampaign();
    return resumeLocked(tx, workspaceId, locked.campaign, now);
  });
  deps.notify();
  return state;
}

/** Makes a locked campaign's calls due again: too early is looked at again, too late would be forgotten. */
export async function resumeLocked(
  tx: Tx,
  workspaceId: string,
  campaign: CampaignRow,
  now: number,
): Promise<'scheduled' | 'ongoing'> {
  const at = new Date(now);
  const dueAt = new Date(Math.max(now, campaign.start_at?.getTime() ?? now));
  const state = activeState(campaign.started_at);
  const move = { state, message: null, breakerSince: at, dueAt, isFromStandstill: true };
  await moveCampaign(tx, workspaceId, campaign.id, move, at);
  await hintDue(tx, workspaceId, dueAt);
  return state;
}
