import type { Clock } from '../../shared/clock.ts';
import { agentName } from '../../store/agents/agents.ts';
import { countCampaign } from '../../store/campaigns/counts.ts';
import {
  keptCampaigns,
  lastAttempts,
  markReported,
  restOf,
  type KeptCampaign,
} from '../../store/campaigns/keeping.ts';
import {
  lockCampaign,
  moveCampaign,
  type CampaignRow,
  type LockedWorkspace,
} from '../../store/campaigns/campaigns.ts';
import type { Db, Tx } from '../../store/database.ts';
import { pulsePrice, type Rate } from '../credits/price.ts';
import { breakerOpens, breakerRules } from './breaker.ts';
import { appendCampaignCompleted } from './campaign-completed.ts';
import { appendCampaignPaused } from './campaign-paused.ts';
import { isOver, isRunning, mayMove } from './campaign-state.ts';
import { canPay, pauseLocked, resumeLocked } from './hold-campaign.ts';
import { cancelWaiting } from './quiesce-campaign.ts';
import { reasonSentence } from './state-reason.ts';
import { TERMINATED } from './terminate-campaign.ts';
import { endedOrigins } from '../../store/calls/callbacks.ts';
import { stopQueued } from '../calls/stop-queued.ts';

export interface KeeperDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly rate: Rate;
  /** Wakes the scheduler: calls of a campaign may be due again. */
  readonly wakeScheduler: () => void;
}

/** Cancellation steps for one campaign in one pass, so that a large campaign cannot starve the others. */
const STEPS_A_PASS = 8;

/**
 * One pass over the campaigns that run or whose `campaign_completed` is still to be sent: cancels the calls of those
 * that were terminated or passed their end time, opens breakers, stops and resumes with the balance, completes those
 * without calls left. Any number of processes may run it at once, because each step decides again under the
 * campaign's lock. Returns true when there is more to do at once.
 */
export async function keepCampaigns(deps: KeeperDeps): Promise<boolean> {
  const campaigns = await keptCampaigns(deps.db, new Date(deps.clock.now()));
  let isMore = false;
  for (const campaign of campaigns) isMore = (await keepOne(deps, campaign)) || isMore;
  await openBreakers(deps, campaigns);
  await endLateCallbacks(deps);
  return isMore;
}

async function keepOne(deps: KeeperDeps, campaign: KeptCampaign): Promise<boolean> {
  const { workspaceId, id, state, isWaiting, isLive } = campaign;
  if (isOver(state)) {
    if (isWaiting) return cancelWaiting(deps, workspaceId, id, TERMINATED, STEPS_A_PASS);
    if (!isLive && !campaign.isDelivering) await report(deps, campaign);
    return false;
  }
  if (campaign.isTimeOver && isWaiting) {
    return cancelWaiting(deps, workspaceId, id, 'CAMPAIGN_TIME_EXCEEDED', STEPS_A_PASS);
  }
  if (!isWaiting && !isLive) return complete(deps, campaign);
  if (campaign.sendsMessages) return false;
  if (state === 'insufficient_balance') await resumeWithMoney(deps, campaign);
  else if (isWaiting && mayMove(state, 'insufficient_balance')) await stopWithoutMoney(deps, campaign);
  return false;
}

/**
 * Runs `step` with the rows of the workspace and of the campaign locked, in this order; null for an unknown campaign.
 */
function underLock<T>(
  deps: KeeperDeps,
  { workspaceId, id }: KeptCampaign,
  step: (tx: Tx, campaign: CampaignRow, workspace: LockedWorkspace, now: number) => Promise<T>,
): Promise<T | null> {
  return deps.db.transaction().execute(async (tx) => {
    const locked = await lockCampaign(tx, workspaceId, id);
    return locked === undefined ? null : step(tx, locked.campaign, locked.workspace, deps.clock.now());
  });
}

/** Completes a campaign with no waiting and no live call; true when this call did it. */
async function complete(deps: KeeperDeps, kept: KeptCampaign): Promise<boolean> {
  const isDone = await underLock(deps, kept, async (tx, campaign, _workspace, now) => {
    if (!isRunning(campaign.state)) return false;
    const rest = await restOf(tx, kept.workspaceId, campaign.id);
    if (rest.isWaiting || rest.isLive) return false;
    const at = new Date(now);
    const message = kept.isTimeOver ? reasonSentence('end_time_passed') : null;
    const move = { state: 'completed', message, endedAt: at } as const;
    await moveCampaign(tx, kept.workspaceId, campaign.id, move, at);
    return true;
  });
  return isDone === true;
}

/** Sends `campaign_completed` once, after every call has ended and the deliveries of their events are over. */
async function report(deps: KeeperDeps, kept: KeptCampaign): Promise<void> {
  await underLock(deps, kept, async (tx, campaign, _workspace, now) => {
    const { workspaceId } = kept;
    const rest = await restOf(tx, workspaceId, campaign.id);
    if (rest.isWaiting || rest.isLive || rest.isDelivering) return;
    const at = new Date(now);
    if (!(await markReported(tx, workspaceId, campaign.id, at))) return;
    const counts = await countCampaign(tx, workspaceId, campaign.id);
    const name = await agentName(tx, workspaceId, campaign.agentId);
    await appendCampaignCompleted(tx, { ...campaign, workspaceId }, name, counts, at);
  });
}

/** Moves to `insufficient_balance` when not even the credits locked by live calls, if released, would pay a call. */
async function stopWithoutMoney(deps: KeeperDeps, kept: KeptCampaign): Promise<void> {
  const isBroke = (workspace: { unlimited: boolean; credits: number }): boolean =>
    !workspace.unlimited && workspace.credits < pulsePrice(deps.rate);
  if (!isBroke(kept)) return;
  await underLock(deps, kept, async (tx, campaign, workspace, now) => {
    if (!isBroke(workspace) || !mayMove(campaign.state, 'insufficient_balance')) return;
    const message = reasonSentence('balance');
    const move = { state: 'insufficient_balance', message } as const;
    const at = new Date(now);
    await moveCampaign(tx, kept.workspaceId, campaign.id, move, at);
    await appendCampaignPaused(tx, { ...campaign, workspaceId: kept.workspaceId }, 'balance', message, at);
  });
}

async function resumeWithMoney(deps: KeeperDeps, kept: KeptCampaign): Promise<void> {
  const { credits, lockedCredits, unlimited } = kept;
  if (!canPay({ credits, lockedCredits, unlimited }, deps.rate)) return;
  const isResumed = await underLock(deps, kept, async (tx, campaign, workspace, now) => {
    if (campaign.state !== 'insufficient_balance' || !canPay(workspace, deps.rate)) return false;
    await resumeLocked(tx, kept.workspaceId, campaign, now);
    return true;
  });
  if (isResumed === true) deps.wakeScheduler();
}

/** Pauses campaigns whose breaker opens. */
async function openBreakers(deps: KeeperDeps, campaigns: readonly KeptCampaign[]): Promise<void> {
  const judged = campaigns
    .filter((c) => c.state === 'ongoing' && c.breakerSince !== null)
    .map((kept) => ({ kept, rules: breakerRules(kept.breaker, kept.breakerOfWorkspace) }));
  const seen = await lastAttempts(
    deps.db,
    judged.map(({ kept, rules }) => ({
      workspaceId: kept.workspaceId,
      id: kept.id,
      since: kept.breakerSince ?? new Date(0),
      window: rules.window,
    })),
  );
  for (const { kept, rules } of judged) {
    const why = breakerOpens(rules, seen.get(kept.id) ?? { attempts: 0, failed: 0 });
    if (why === null) continue;
    await underLock(deps, kept, async (tx, campaign, _workspace, now) => {
      // A resume since the count above started a new breaker window.
      const isSame = campaign.breakerSince?.getTime() === kept.breakerSince?.getTime();
      if (campaign.state !== 'ongoing' || !isSame) return;
      const at = new Date(now);
      await pauseLocked(tx, kept.workspaceId, campaign.id, why, at);
      const paused = { ...campaign, workspaceId: kept.workspaceId };
      await appendCampaignPaused(tx, paused, 'circuit_breaker', why, at);
    });
  }
}

/**
 * Cancels callbacks whose campaign was terminated or passed its end time, also long after it completed. It also
 * catches the race in which a live call of a terminated campaign queues a callback after the termination's own sweep.
 */
export async function endLateCallbacks(deps: { readonly db: Db; readonly clock: Clock }): Promise<void> {
  for (const { workspaceId, campaignId, isTerminated } of await endedOrigins(
    deps.db,
    new Date(deps.clock.now()),
  )) {
    const subStatus = isTerminated ? TERMINATED : 'CAMPAIGN_TIME_EXCEEDED';
    await stopQueued(deps, workspaceId, null, { callbacksOf: campaignId }, { subStatus, withdraw: false });
  }
}
