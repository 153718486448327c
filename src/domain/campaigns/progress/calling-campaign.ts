import { DEFAULT_CALL_TIME, mergeCallTime } from '../../call-windows/call-time.ts';
import type { CallTime } from '../../../store/json/call-config.ts';
import { errors } from '../../../errors.ts';
import type { CampaignRow } from '../../../store/campaigns/campaigns.ts';
import { callTimeOfAgent } from '../../../store/campaigns/progress.ts';
import type { Db } from '../../../store/database.ts';
import { knownCampaign } from '../read-campaigns.ts';

/** A campaign that calls its contacts. Throws 404; 400 for one that sends messages. */
export async function callingCampaign(db: Db, workspaceId: string, campaignId: string): Promise<CampaignRow> {
  const campaign = await knownCampaign(db, workspaceId, campaignId);
  if (campaign.template !== null) throw errors.campaignWrites();
  return campaign;
}

/** The campaign's calling window: that of its agent's active version, overridden by its own. */
export async function campaignCallTime(
  db: Db,
  workspaceId: string,
  campaign: Pick<CampaignRow, 'agentId' | 'callConfig'>,
): Promise<CallTime> {
  const agent = await callTimeOfAgent(db, workspaceId, campaign.agentId);
  const own = campaign.callConfig?.callTime;
  return mergeCallTime(mergeCallTime(DEFAULT_CALL_TIME, agent ?? {}), own ?? {});
}
