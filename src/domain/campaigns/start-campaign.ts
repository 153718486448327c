import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid } from '../../shared/ids.ts';
import { findAgent, lockAgent } from '../../store/agents.ts';
import { countCampaign, waitingOf } from '../../store/campaign-counts.ts';
import {
  hasLiveCalls,
  lockCampaign,
  moveCampaign,
  saveStart,
  type CampaignRow,
} from '../../store/campaigns.ts';
import type { Db, Tx } from '../../store/database.ts';
import { hintDue } from '../../store/new-call.ts';
import { findPool, lockPool, type PoolRow } from '../../store/number-pools.ts';
import { callerNumbers, mayPoolCall } from '../../store/numbers.ts';
import { makesOutboundCalls } from '../agents/agent-version.ts';
import type { Rate } from '../credits/price.ts';
import { checkReceiverUrl, normalAddress } from '../webhooks/receiver-rules.ts';
import type { CallCallback } from '../webhooks/subscriptions.ts';
import type { BreakerSettings } from './breaker.ts';
import { balanceFor, checkListTaken } from './check-balance.ts';
import { knownCampaign } from './read-campaigns.ts';

export interface StartInput {
  agentId: string;
  campaignId: string;
  /** Exactly one of these two. */
  numberIds: readonly string[] | null;
  numberPoolId: string | null;
  callbackUrl: string | null;
  concurrencyPercentage: number | null;
  circuitBreaker: BreakerSettings | null;
}

export interface StartDeps {
  db: Db;
  clock: Clock;
  rate: Rate;
  /** Wakes the dialer; only a hint, the queue is in the database. */
  notify: () => void;
}

export interface StartedCampaign {
  campaignId: string;
  state: 'scheduled';
  /** Calls of the workspace are in progress: they share its limits. */
  hasOngoingCalls: boolean;
}

/**
 * Starts a campaign whose contact list was taken in: one of many requests at once does, the others find it started.
 * `onStored` runs in the same transaction. Throws 422, 404, 400 and 402, looked for in this order; an error changes
 * nothing.
 */
export async function startCampaign(
  deps: StartDeps,
  workspaceId: string,
  input: StartInput,
  onStored: (tx: Tx, started: StartedCampaign) => Promise<void> = async () => undefined,
): Promise<StartedCampaign> {
  const { db, clock } = deps;
  checkShape(input);
  await checkReferences(db, workspaceId, input);
  const started = await db.transaction().execute(async (tx) => {
    // Held until commit, and first as whoever places a call does: the pool keeps its numbers while a campaign starts.
    if (input.numberPoolId !== null) await checkPool(tx, workspaceId, input.numberPoolId, lockPool);
    const locked = await lockCampaign(tx, workspaceId, input.campaignId);
    if (locked === undefined) throw errors.campaignNotFound();
    const { campaign, workspace } = locked;
    const now = clock.now();
    const at = new Date(now);
    checkStartable(campaign, now);
    // Held until commit: an agent is not deleted and goes on making calls while a campaign of it starts.
    const agent = await lockAgent(tx, workspaceId, campaign.agent_id);
    if (agent === undefined) throw errors.agentNotFound();
    if (!makesOutboundCalls(agent.agent_type)) throw errors.agentNotOutbound();
    const waiting = waitingOf(await countCampaign(tx, workspaceId, campaign.id));
    if (!balanceFor(waiting, workspace, deps.rate).isSufficient) throw errors.insufficientForCampaign();
    const dueAt = new Date(Math.max(now, campaign.start_at?.getTime() ?? now));
    await saveStart(tx, workspaceId, campaign.id, {
      numberIds: [...new Set(input.numberIds?.map((id) => id.toLowerCase()))],
      numberPoolId: input.numberPoolId,
      callback: input.callbackUrl === null ? null : campaignCallback(input.callbackUrl),
      concurrencyPercentage: input.concurrencyPercentage,
      breaker: input.circuitBreaker,
    });
    await moveCampaign(
      tx,
      workspaceId,
      campaign.id,
      { state: 'scheduled', message: null, breakerSince: at, dueAt },
      at,
    );
    await hintDue(tx, workspaceId, dueAt);
    const result: StartedCampaign = {
      campaignId: campaign.id,
      state: 'scheduled',
      hasOngoingCalls: await hasLiveCalls(tx, workspaceId),
    };
    await onStored(tx, result);
    return result;
  });
  deps.notify();
  return started;
}

/** A campaign's receiver is told of every call's end; what closes the campaign comes beside it. */
const campaignCallback = (url: string): CallCallback => ({
  url: normalAddress(url),
  headers: {},
  events: ['call_completed'],
});

function checkShape(input: StartInput): void {
  const given = [input.numberIds, input.numberPoolId].filter((source) => source !== null).length;
  if (given !== 1) throw errors.oneNumberSource(given === 2);
  if (input.callbackUrl !== null) checkReceiverUrl('callback_url', input.callbackUrl);
}

async function checkReferences(db: Db, workspaceId: string, input: StartInput): Promise<void> {
  const agent = isUuid(input.agentId) ? await findAgent(db, workspaceId, input.agentId) : undefined;
  if (agent === undefined) throw errors.agentNotFound();
  const campaign = await knownCampaign(db, workspaceId, input.campaignId);
  if (input.numberPoolId !== null) await checkPool(db, workspaceId, input.numberPoolId, findPool);
  if (!makesOutboundCalls(agent.agent_type)) throw errors.agentNotOutbound();
  if (campaign.agent_id !== agent.id) throw errors.campaignOfOtherAgent();
  if (input.numberIds !== null) await checkNumbers(db, workspaceId, input.numberIds);
}

async function checkPool<D extends Db>(
  db: D,
  workspaceId: string,
  poolId: string,
  find: (db: D, workspaceId: string, poolId: string) => Promise<PoolRow | undefined>,
): Promise<void> {
  const pool = isUuid(poolId) ? await find(db, workspaceId, poolId) : undefined;
  if (pool === undefined) throw errors.poolNotFound();
  if (!(await mayPoolCall(db, workspaceId, pool.id))) throw errors.poolWithoutNumber();
}

/** The refusals of an individual call's caller number, each naming its place in the list. */
async function checkNumbers(db: Db, workspaceId: string, numberIds: readonly string[]): Promise<void> {
  const known = await callerNumbers(db, workspaceId, numberIds.filter(isUuid));
  for (const [index, id] of numberIds.entries()) {
    const number = known.get(id.toLowerCase());
    if (number === undefined) throw errors.numberNotInWorkspace(`from_numbers[${index}]`);
    if (number.is_test_number) throw errors.testNumber();
    if (number.trunk_id === null) throw errors.numberWithoutTrunk();
  }
}

function checkStartable(campaign: CampaignRow, now: number): void {
  checkListTaken(campaign.state);
  if (campaign.state !== 'draft') throw errors.campaignStarted();
  if (campaign.end_at !== null && campaign.end_at.getTime() <= now) throw errors.campaignTimeOver();
}
