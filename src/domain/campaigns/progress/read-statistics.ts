import { countUnfinished, sumAttempts, type AttemptSums } from '../../../store/campaigns/attempt-sums.ts';
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
  const [{ sums, funnel }, { timezone }] = await Promise.all([
    readAttempts(db, workspaceId, row.id),
    campaignCallTime(db, workspaceId, row),
  ]);
  return { campaignId: row.id, timezone, hours: answerHours(sums, timezone), funnel };
}

export async function readAttempts(
  db: Db,
  workspaceId: string,
  campaignId: string,
): Promise<{ sums: readonly AttemptSums[]; funnel: FunnelStep[] }> {
  const [sums, unfinished] = await Promise.all([
    sumAttempts(db, workspaceId, campaignId),
    countUnfinished(db, workspaceId, campaignId),
  ]);
  return { sums, funnel: retryFunnel(sums, unfinished) };
}
