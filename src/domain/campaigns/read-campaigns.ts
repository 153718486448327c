import type { CallPurpose } from '../../shared/call-purposes.ts';
import { nextCursor, type PageRequest } from '../cursor.ts';
import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import { sumAll } from '../../store/analysis/analytics.ts';
import { countCampaign, listCampaigns, type CampaignCounts } from '../../store/campaigns/counts.ts';
import { findCampaign, numbersOfCampaign, type CampaignRow } from '../../store/campaigns/campaigns.ts';
import type { Db } from '../../store/database.ts';
import { findWorkspace } from '../../store/tenants/workspaces.ts';
import { retryRules, type RetryRules } from '../calls/attempt/next-step.ts';
import { pulsePrice, type Rate } from '../credits/price.ts';
import { chargedWaiting } from './campaign-state.ts';
import { breakerSettings } from '../workspaces/limits.ts';
import { breakerRules, type BreakerRules } from './breaker.ts';
import { readReason, type StateReason } from './state-reason.ts';

export interface Campaign {
  readonly id: string;
  readonly name: string;
  readonly state: CampaignRow['state'];
  /** The reason for the state. */
  readonly message: string | null;
  /** The same by its code; null where the sentence has none. */
  readonly reason: StateReason | null;
  readonly agentId: string;
  readonly startAt: Date | null;
  readonly endAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  /** The message that it sends; null: its contacts are called. */
  readonly template: { readonly name: string; readonly language: string } | null;
}

export interface CampaignPage {
  readonly campaigns: readonly { readonly campaign: Campaign; readonly counts: CampaignCounts | null }[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly nextCursor: string | null;
}

export interface CampaignDetails {
  readonly campaign: Campaign;
  readonly counts: CampaignCounts;
  readonly callConfig: CampaignRow['callConfig'];
  readonly numberIds: readonly string[];
  readonly numberPoolId: string | null;
  readonly callbackUrl: string | null;
  readonly concurrencyPercentage: number | null;
  readonly purpose: CallPurpose | null;
  readonly dltTemplateId: string | null;
  readonly breaker: BreakerRules;
  readonly retries: RetryRules;
  /** Micro-credits, like `required`. */
  readonly spent: number;
  readonly required: number;
  readonly rows: { readonly total: number; readonly successful: number; readonly failed: number };
}

const toCampaign = (row: CampaignRow): Campaign => ({
  id: row.id,
  name: row.name,
  state: row.state,
  message: row.message,
  reason: readReason(row.message),
  agentId: row.agentId,
  startAt: row.startAt,
  endAt: row.endAt,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  startedAt: row.startedAt,
  endedAt: row.endedAt,
  template: row.template,
});

/** A page of the workspace's campaigns, newest first. */
export async function readCampaigns(
  deps: { db: Db },
  workspaceId: string,
  page: PageRequest,
  withCounts: boolean,
): Promise<CampaignPage> {
  const { campaigns, total } = await listCampaigns(deps.db, workspaceId, page, withCounts);
  return {
    campaigns: campaigns.map(({ row, counts }) => ({ campaign: toCampaign(row), counts })),
    total,
    limit: page.limit,
    offset: page.offset,
    nextCursor: nextCursor(
      page,
      campaigns.map(({ row }) => ({ at: row.createdAt, id: row.id })),
    ),
  };
}

/** Finds a campaign of the workspace. Throws 404, also for text that is no UUID. */
export async function knownCampaign(db: Db, workspaceId: string, campaignId: string): Promise<CampaignRow> {
  const campaign = isUuid(campaignId) ? await findCampaign(db, workspaceId, campaignId) : undefined;
  if (campaign === undefined) throw errors.campaignNotFound();
  return campaign;
}

/** One campaign with counts, retry and breaker rules, and money. Throws 404. */
export async function readCampaign(
  deps: { db: Db; rate: Rate },
  workspaceId: string,
  campaignId: string,
): Promise<CampaignDetails> {
  const { db, rate } = deps;
  const row = await knownCampaign(db, workspaceId, campaignId);
  const counts = await countCampaign(db, workspaceId, row.id);
  const numberIds =
    row.template === null ? await numbersOfCampaign(db, workspaceId, row.id) : row.whatsappNumberIds;
  const filter = { agentId: null, campaignId: row.id, firstDay: null, lastDay: null };
  const { cost: spent } = await sumAll(db, workspaceId, filter);
  const workspace = await findWorkspace(db, workspaceId);
  const url = row.callback?.['url'];
  return {
    campaign: toCampaign(row),
    counts,
    callConfig: row.callConfig,
    numberIds,
    numberPoolId: row.numberPoolId,
    callbackUrl: typeof url === 'string' ? url : null,
    concurrencyPercentage: row.concurrencyPercentage,
    purpose: row.purpose,
    dltTemplateId: row.dltTemplateId,
    breaker: breakerRules(row.breaker, breakerSettings(workspace?.settings ?? {})),
    retries: retryRules('campaign', row.callConfig, null),
    spent,
    required: chargedWaiting(row, counts) * pulsePrice(rate),
    rows: { total: row.totalRows, successful: row.successfulRows, failed: row.failedRows },
  };
}
