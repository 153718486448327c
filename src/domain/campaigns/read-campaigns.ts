import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import { sumAll } from '../../store/analytics.ts';
import { countCampaign, listCampaigns } from '../../store/campaign-counts.ts';
import { findCampaign, numbersOfCampaign, type CampaignRow } from '../../store/campaigns.ts';
import type { Db } from '../../store/database.ts';
import { findWorkspace } from '../../store/workspaces.ts';
import type { Rate } from '../credits/price.ts';
import { toCampaign, toListedCampaign } from './campaign-record.ts';

const MAX_LIMIT = 200;

/** A page of the workspace's campaigns, newest first. Throws 400 for a limit above 200. */
export async function readCampaigns(
  deps: { db: Db },
  workspaceId: string,
  page: { limit: number; offset: number },
  withCounts: boolean,
) {
  if (page.limit > MAX_LIMIT) throw errors.limitTooHigh(MAX_LIMIT);
  const { campaigns, total } = await listCampaigns(deps.db, workspaceId, page, withCounts);
  return {
    campaigns: campaigns.map(({ row, counts }) => toListedCampaign(row, counts)),
    pagination: { total, limit: page.limit, offset: page.offset },
  };
}

/** The campaign of that id. Throws 404, also for an id that cannot be one. */
export async function knownCampaign(db: Db, workspaceId: string, campaignId: string): Promise<CampaignRow> {
  const campaign = isUuid(campaignId) ? await findCampaign(db, workspaceId, campaignId) : undefined;
  if (campaign === undefined) throw errors.campaignNotFound();
  return campaign;
}

/** One campaign with its counts, its rules and its money. Throws 404. */
export async function readCampaign(deps: { db: Db; rate: Rate }, workspaceId: string, campaignId: string) {
  const { db, rate } = deps;
  const campaign = await knownCampaign(db, workspaceId, campaignId);
  const counts = await countCampaign(db, workspaceId, campaign.id);
  const numberIds = await numbersOfCampaign(db, workspaceId, campaign.id);
  const lane = { agentId: null, laneId: campaign.id, firstDay: null, lastDay: null };
  const { cost: spent } = await sumAll(db, workspaceId, lane);
  const workspace = await findWorkspace(db, workspaceId);
  return toCampaign(campaign, counts, { numberIds, settings: workspace?.settings ?? {}, spent, rate });
}
