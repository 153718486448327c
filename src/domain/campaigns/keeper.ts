import type { Clock } from '../../shared/clock.ts';
import { agentName } from '../../store/agents.ts';
import { countCampaign } from '../../store/campaign-counts.ts';
import {
  keptCampaigns,
  lastAttempts,
  markReported,
  restOf,
  type KeptCampaign,
} from '../../store/campaign-keeping.ts';
import { lockCampaign, moveCampaign, type CampaignRow, type LockedWorkspace } from '../../store/campaigns.ts';
import type { Db, Tx } from '../../store/database.ts';
import { pulsePrice, type Rate } from '../credits/price.ts';
import { breakerOpens, breakerRules } from './breaker.ts';
import { appendCampaignCompleted } from './campaign-completed.ts';
import { isOver, isRunning, mayMove } from './campaign-state.ts';
import { canPay, pauseLocked, resumeLocked } from './hold-campaign.ts';
import { endLateCallbacks } from './late-callbacks.ts';
import { cancelWaiting } from './quiet-lane.ts';
import { TERMINATED } from './terminate-campaign.ts';

export interface KeeperDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly rate: Rate;
  /** Wakes the dialer: a campaign's calls may be due again. */
  readonly notify: () => void;
}

/** Steps of one campaign's cancelling before the next campaign has its turn. */
const STEPS_A_LOOK = 8;

/**
 * One look at every campaign that runs or is not yet reported: ends what ran out of time or was terminated, opens
 * breakers, follows the balance, completes what is done and tells its receiver. Any number of processes may look at
 * once: every step is decided again under the campaign's lock. Returns whether there is more to do right away.
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
    if (isWaiting) return cancelWaiting(deps, workspaceId, id, TERMINATED, STEPS_A_LOOK);
    if (!isLive && !campaign.isTelling) await report(deps, campaign);
    return false;
  }
  if (campaign.isTimeOver && isWaiting) {
    return cancelWaiting(deps, workspaceId, id, 'CAMPAIGN_TIME_EXCEEDED', STEPS_A_LOOK);
  }
  if (!isWaiting && !isLive) return complete(deps, campaign);
  if (state === 'insufficient_balance') await resumeWithMoney(deps, campaign);
  else if (isWaiting && mayMove(state, 'insufficient_balance')) await stopWithoutMoney(deps, campaign);
  return false;
}

/** Runs `step` on the campaign under the locks of its workspace and its own. */
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

/** Nothing of the campaign waits or lives any more: true when that made it complete. */
async function complete(deps: KeeperDeps, kept: KeptCampaign): Promise<boolean> {
  const isDone = await underLock(deps, kept, async (tx, campaign, _workspace, now) => {
    if (!isRunning(campaign.state)) return false;
    const rest = await restOf(tx, kept.workspaceId, campaign.id);
    if (rest.isWaiting || rest.isLive) return false;
    const at = new Date(now);
    const message = kept.isTimeOver ? 'campaign_end_time passed' : null;
    const move = { state: 'completed', message, endedAt: at } as const;
    await moveCampaign(tx, kept.workspaceId, campaign.id, move, at);
    return true;
  });
  return isDone === true;
}

/** The last event, once: when every call of the campaign has ended and its receiver was told of each. */
async function report(deps: KeeperDeps, kept: KeptCampaign): Promise<void> {
  await underLock(deps, kept, async (tx, campaign, _workspace, now) => {
    const { workspaceId } = kept;
    const rest = await restOf(tx, workspaceId, campaign.id);
    if (rest.isWaiting || rest.isLive || rest.isTelling) return;
    const at = new Date(now);
    if (!(await markReported(tx, workspaceId, campaign.id, at))) return;
    const counts = await countCampaign(tx, workspaceId, campaign.id);
    const name = await agentName(tx, workspaceId, campaign.agent_id);
    await appendCampaignCompleted(tx, { ...campaign, workspaceId }, name, counts, at);
  });
}

/** What is locked may come back; when even with it no call can start, the campaign says so and waits. */
async function stopWithoutMoney(deps: KeeperDeps, kept: KeptCampaign): Promise<void> {
  const isBroke = (workspace: { unlimited: boolean; credits: number }): boolean =>
    !workspace.unlimited && workspace.credits < pulsePrice(deps.rate);
  if (!isBroke(kept)) return;
  await underLock(deps, kept, async (tx, campaign, workspace, now) => {
    if (!isBroke(workspace) || !mayMove(campaign.state, 'insufficient_balance')) return;
    const message = 'The balance does not cover another call; the campaign goes on when it does';
    const move = { state: 'insufficient_balance', message } as const;
    await moveCampaign(tx, kept.workspaceId, campaign.id, move, new Date(now));
  });
}

async function resumeWithMoney(deps: KeeperDeps, kept: KeptCampaign): Promise<void> {
  const { credits, lockedCredits: locked_credits, unlimited } = kept;
  if (!canPay({ credits, locked_credits, unlimited }, deps.rate)) return;
  const isResumed = await underLock(deps, kept, async (tx, campaign, workspace, now) => {
    if (campaign.state !== 'insufficient_balance' || !canPay(workspace, deps.rate)) return false;
    await resumeLocked(tx, kept.workspaceId, campaign, now);
    return true;
  });
  if (isResumed === true) deps.notify();
}

/** Pauses campaigns whose calls fail for reasons that more calls would not mend. */
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
      // Resumed since the look: what was judged no longer counts.
      const isSame = campaign.breaker_since?.getTime() === kept.breakerSince?.getTime();
      if (campaign.state !== 'ongoing' || !isSame) return;
      await pauseLocked(tx, kept.workspaceId, campaign.id, why, new Date(now));
    });
  }
}
