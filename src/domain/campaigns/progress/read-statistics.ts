import { countUnfinished, sumByAttempt, sumByQuarter } from '../../../store/campaigns/attempt-sums.ts';
import type { Db } from '../../../store/database.ts';
import { answerHours, type AnswerHour } from './answer-hours.ts';
import { callingCampaign, campaignCallTime } from './calling-campaign.ts';
import { retryFunnel, type FunnelStep } from './retry-funnel.ts';

export interface CampaignStatistics {
  readonly campaignId: string;
  /** The zone of the hours. */
  readonly timezone: string;
  readonly hours: readonly AnswerHour[];
  readonly funnel: readonly FunnelStep[];
}

/** How the attempts of a campaign ended, by hour of its zone and by their place among the retries. Throws 404 and 400. */
export async function readStatistics(
  deps: { readonly db: Db },
  workspaceId: string,
  campaignId: string,
): Promise<CampaignStatistics> {
  const { db } = deps;
  const row = await callingCampaign(db, workspaceId, campaignId);
  const [quarters, funnel, { timezone }] = await Promise.all([
    sumByQuarter(db, workspaceId, row.id, null),
    readFunnel(db, workspaceId, row.id),
    campaignCallTime(db, workspaceId, row),
  ]);
  return { campaignId: row.id, timezone, hours: answerHours(quarters, timezone), funnel };
}

export async function readFunnel(db: Db, workspaceId: string, campaignId: string): Promise<FunnelStep[]> {
  const [sums, unfinished] = await Promise.all([
    sumByAttempt(db, workspaceId, campaignId),
    countUnfinished(db, workspaceId, campaignId),
  ]);
  return retryFunnel(sums, unfinished);
}
