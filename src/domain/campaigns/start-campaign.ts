import type { CallCallback } from '../../store/json/callback.ts';
import { ApiError, errors } from '../../errors.ts';
import type { AddressRules } from '../../shared/address-rules.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid } from '../../shared/ids.ts';
import { lockAgent } from '../../store/agents/agents.ts';
import { countCampaign } from '../../store/campaigns/counts.ts';
import {
  findCampaign,
  hasLiveCalls,
  lockCampaign,
  moveCampaign,
  saveStart,
  type CampaignRow,
} from '../../store/campaigns/campaigns.ts';
import type { Db, Tx } from '../../store/database.ts';
import type { CallPurpose } from '../../shared/call-purposes.ts';
import { hintDue } from '../../store/scheduler/hints.ts';
import { lockPool } from '../../store/numbers/pools.ts';
import { numberIdsOf } from '../numbers/number-ids.ts';
import { misfit } from '../numbers/purpose.ts';
import { callerNumbers, hasMembers, mayPoolCall, purposesOfPool } from '../../store/numbers/numbers.ts';
import { isChatAgent, makesOutboundCalls } from '../agents/agent-version.ts';
import type { Rate } from '../credits/price.ts';
import { checkReceiverUrl, normalAddress } from '../webhooks/receiver-rules.ts';
import type { BreakerSettings } from '../../store/json/workspace-settings.ts';
import { balanceFor, checkListTaken } from './check-balance.ts';
import { chargedWaiting } from './campaign-state.ts';
import { checkSenders, type TemplateDeps } from '../whatsapp/templates.ts';
import { previewCampaign, type CampaignPreview } from './preview-campaign.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';

export interface StartInput {
  agentId: string;
  campaignId: string;
  /** Exactly one of `numberIds` and `numberPoolId` is set. */
  numberIds: readonly string[] | null;
  numberPoolId: string | null;
  callbackUrl: string | null;
  /** Statuses of the receiver that count as success; null: 200. */
  callbackSuccess: '200' | '2xx' | null;
  concurrencyPercentage: number | null;
  circuitBreaker: BreakerSettings | null;
  /** What kind of commercial calls these are; null: not stated. */
  purpose: CallPurpose | null;
  /** The template of the calls as India's operators registered it; null: none. */
  dltTemplateId: string | null;
}

export interface StartDeps extends TemplateDeps {
  clock: Clock;
  rate: Rate;
  guard: AddressRules;
  /** Wakes the scheduler. A lost wake costs one poll interval: the queue is in the database. */
  wakeScheduler: () => void;
}

export interface StartedCampaign {
  campaignId: string;
  state: 'scheduled';
  /** True when the workspace has live calls, which share its limits with the campaign. */
  hasOngoingCalls: boolean;
  /** The contacts that are called now, and when the others are; null: the campaign sends messages. */
  preview: CampaignPreview | null;
}

/**
 * Starts a campaign whose contact list is imported. Of several concurrent requests one starts it, the others get 400.
 * `onStored` runs in the same transaction. Checks in this order: 422, 404, 400, 402; an error changes nothing.
 */
export async function startCampaign(
  deps: StartDeps,
  workspaceId: string,
  change: ChangeEntry | null,
  given: StartInput,
  onStored: (tx: Tx, started: StartedCampaign) => Promise<void> = async () => undefined,
): Promise<StartedCampaign> {
  const { db, clock } = deps;
  const numberIds = given.numberIds === null ? null : await numberIdsOf(db, workspaceId, given.numberIds);
  const input: StartInput = { ...given, numberIds };
  checkShape(deps, workspaceId, input);
  const listed = isUuid(input.campaignId) ? await findCampaign(db, workspaceId, input.campaignId) : undefined;
  const isOwn = listed !== undefined && listed.agentId === input.agentId.toLowerCase();
  // Before the locks: contacts of an old list are counted one by one, and templates are read from the vendor.
  const preview =
    isOwn && listed.template === null && listed.state === 'draft'
      ? await previewCampaign(deps, workspaceId, listed.id)
      : null;
  const senders = isOwn ? await sendersProblem(deps, workspaceId, listed, input) : null;
  const started = await commitChange(db, change, async (tx) => {
    const { campaign, workspace } = await lockReferences(tx, workspaceId, input);
    if (senders !== null) throw senders;
    const now = clock.now();
    const at = new Date(now);
    checkStartable(campaign, now);
    const waiting = chargedWaiting(campaign, await countCampaign(tx, workspaceId, campaign.id));
    if (!balanceFor(waiting, workspace, deps.rate).isSufficient) throw errors.insufficientForCampaign();
    const dueAt = new Date(Math.max(now, campaign.startAt?.getTime() ?? now));
    await saveStart(tx, workspaceId, campaign.id, {
      ...(campaign.template === null
        ? { numberIds: idsOf(input), whatsappNumberIds: [] }
        : { numberIds: [], whatsappNumberIds: idsOf(input) }),
      numberPoolId: input.numberPoolId,
      callback:
        input.callbackUrl === null ? null : campaignCallback(input.callbackUrl, input.callbackSuccess),
      concurrencyPercentage: input.concurrencyPercentage,
      breaker: input.circuitBreaker,
      purpose: input.purpose,
      dltTemplateId: input.dltTemplateId,
    });
    await moveCampaign(
      tx,
      workspaceId,
      campaign.id,
      { state: 'scheduled', message: null, breakerSince: at, dueAt },
      at,
    );
    // Messages are no calls of the scheduler.
    if (campaign.template === null) await hintDue(tx, workspaceId, dueAt);
    const result: StartedCampaign = {
      campaignId: campaign.id,
      state: 'scheduled',
      hasOngoingCalls: await hasLiveCalls(tx, workspaceId),
      preview,
    };
    await onStored(tx, result);
    return result;
  });
  deps.wakeScheduler();
  return started;
}

const idsOf = (input: StartInput): string[] => [...new Set(input.numberIds?.map((id) => id.toLowerCase()))];

/** The callback URL receives `call_completed` of every call; `campaign_completed` is appended apart. */
const campaignCallback = (url: string, success: StartInput['callbackSuccess']): CallCallback => ({
  url: normalAddress(url),
  headers: {},
  events: ['call_completed'],
  ...(success === null ? {} : { success }),
});

function checkShape({ guard }: StartDeps, workspaceId: string, input: StartInput): void {
  const given = [input.numberIds, input.numberPoolId].filter((source) => source !== null).length;
  if (given !== 1) throw errors.oneNumberSource(given === 2);
  if (input.callbackUrl === null && input.callbackSuccess !== null)
    throw errors.invalid('callback_success', 'requires callback_url');
  if (input.callbackUrl !== null) {
    checkReceiverUrl({ guard, purpose: 'webhooks', workspaceId }, 'callback_url', input.callbackUrl);
  }
}

/** Why the numbers cannot send the campaign's template; null: they can, or the campaign calls. */
async function sendersProblem(
  deps: TemplateDeps,
  workspaceId: string,
  campaign: CampaignRow,
  { agentId, numberIds }: StartInput,
): Promise<ApiError | null> {
  if (campaign.template === null) return null;
  if (numberIds === null)
    return errors.invalid('from_numbers', 'is required: a pool holds caller numbers, not WhatsApp numbers');
  const template = campaign.template;
  try {
    await checkSenders(deps, workspaceId, agentId.toLowerCase(), numberIds, template);
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/**
 * Locks and checks everything that the start names, until commit: the pool cannot be emptied meanwhile, and the agent
 * is neither deleted nor made inbound-only. Lock order: pool, workspace, campaign, agent; placing a call locks the pool
 * first as well. Throws 404, then 400.
 */
async function lockReferences(
  tx: Tx,
  workspaceId: string,
  { agentId, campaignId, numberIds, numberPoolId, purpose }: StartInput,
): Promise<NonNullable<Awaited<ReturnType<typeof lockCampaign>>>> {
  const pool = isUuid(numberPoolId ?? '') ? await lockPool(tx, workspaceId, numberPoolId ?? '') : undefined;
  const locked = isUuid(campaignId) ? await lockCampaign(tx, workspaceId, campaignId) : undefined;
  const agent = isUuid(agentId) ? await lockAgent(tx, workspaceId, agentId) : undefined;
  if (agent === undefined) throw errors.agentNotFound();
  if (locked === undefined) throw errors.campaignNotFound();
  if (numberPoolId !== null) {
    if (pool === undefined) throw errors.poolNotFound();
    if (!(await mayPoolCall(tx, workspaceId, pool.id)))
      throw errors.poolWithoutNumber(await hasMembers(tx, workspaceId, pool.id));
    for (const number of await purposesOfPool(tx, workspaceId, pool.id))
      checkPurpose('number_pool_id', number, purpose);
  }
  const { campaign } = locked;
  const type = agent.agentType;
  if (!makesOutboundCalls(type) && !isChatAgent(type)) throw errors.agentNotOutbound();
  if (campaign.agentId !== agent.id) throw errors.campaignOfOtherAgent();
  // A campaign calls or writes, as its agent does.
  if (campaign.template === null ? !makesOutboundCalls(type) : !isChatAgent(type))
    throw errors.agentNotOutbound();
  if (campaign.template === null && numberIds !== null)
    await checkNumbers(tx, workspaceId, numberIds, purpose);
  return locked;
}

/** Refuses a caller number for the same reasons as an individual call does, and names its index in the list. */
async function checkNumbers(
  db: Db,
  workspaceId: string,
  numberIds: readonly string[],
  purpose: CallPurpose | null,
): Promise<void> {
  const known = await callerNumbers(db, workspaceId, numberIds.filter(isUuid));
  for (const [index, id] of numberIds.entries()) {
    const field = `from_numbers[${index}]`;
    const number = known.get(id.toLowerCase());
    if (number === undefined) throw errors.numberNotInWorkspace(field);
    if (number.isTestNumber) throw errors.testNumber();
    if (number.trunkId === null) throw errors.numberWithoutTrunk();
    checkPurpose(field, number, purpose);
  }
}

/** Throws 400 when the number must not call for a campaign of this purpose. */
function checkPurpose(
  field: string,
  number: { readonly number: string; readonly purpose: CallPurpose | null },
  purpose: CallPurpose | null,
): void {
  const why = purpose === null ? null : misfit(number, purpose);
  if (why !== null) throw errors.otherPurpose(field, `${number.number} ${why}`);
}

function checkStartable(campaign: CampaignRow, now: number): void {
  checkListTaken(campaign.state);
  if (campaign.state !== 'draft') throw errors.campaignStarted();
  if (campaign.endAt !== null && campaign.endAt.getTime() <= now) throw errors.campaignTimeOver();
}
