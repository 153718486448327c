import {
  countUnfinished,
  sumByAttempt,
  sumByQuarter,
  type QuarterSums,
} from '../../../store/campaigns/attempt-sums.ts';
import { sumAttempts, type AttemptShare } from '../../../store/analysis/attempt-shares.ts';
import { countResults, type ResultCount } from '../../../store/analysis/results.ts';
import { MOST_RESULTS } from '../../analytics/read-analytics.ts';
import type { Db } from '../../../store/database.ts';
import { answerHours, type AnswerHour } from './answer-hours.ts';
import { callingCampaign, campaignCallTime } from './calling-campaign.ts';
import { retryFunnel, type FunnelStep } from './retry-funnel.ts';

export interface CampaignStatistics {
  readonly campaignId: string;
  /** The zone of the hours. */
  readonly timezone: string;
  readonly hours: readonly AnswerHour[];
  /** Oldest first. */
  readonly course: readonly QuarterSums[];
  readonly funnel: readonly FunnelStep[];
  readonly share: AttemptShare;
  /** Most calls first. */
  readonly results: readonly ResultCount[];
}

/** How the attempts of a campaign ended, by hour of its zone and by their place among the retries. Throws 404 and 400. */
export async function readStatistics(
  deps: { readonly db: Db },
  workspaceId: string,
  campaignId: string,
): Promise<CampaignStatistics> {
  const { db } = deps;
  const row = await callingCampaign(db, workspaceId, campaignId);
  const filter = { agentId: null, campaignId: row.id, firstDay: null, lastDay: null };
  const [quarters, funnel, { timezone }, share, results] = await Promise.all([
    sumByQuarter(db, workspaceId, row.id, null),
    readFunnel(db, workspaceId, row.id),
    campaignCallTime(db, workspaceId, row),
    sumAttempts(db, workspaceId, filter),
    countResults(db, workspaceId, filter, MOST_RESULTS),
  ]);
  const hours = answerHours(quarters, timezone);
  return { campaignId: row.id, timezone, hours, course: quarters.toReversed(), funnel, share, results };
}

export async function readFunnel(db: Db, workspaceId: string, campaignId: string): Promise<FunnelStep[]> {
  const [sums, unfinished] = await Promise.all([
    sumByAttempt(db, workspaceId, campaignId),
    countUnfinished(db, workspaceId, campaignId),
  ]);
  return retryFunnel(sums, unfinished);
}
