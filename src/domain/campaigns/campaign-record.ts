import { waitingOf, type CampaignCounts } from '../../store/campaign-counts.ts';
import type { CampaignRow } from '../../store/campaigns.ts';
import { retryRules } from '../calls/retry-rules.ts';
import { pulsePrice, toCredits, type Rate } from '../credits/price.ts';
import { breakerRules } from './breaker.ts';

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
const MINUTE_MS = 60_000;

/** A campaign's counts as the API names them. Calls that ended as error are counted as failed. */
export const toCounts = (counts: CampaignCounts) => ({
  total_count: counts.total,
  registered_count: counts.registered,
  ongoing_count: counts.ongoing,
  retry_count: counts.retry,
  completed_count: counts.completed,
  failed_count: counts.failed,
  cancelled_count: counts.cancelled,
});

/** A campaign as listed (open-points, GET /campaign/all). Counts come when they were asked for. */
export function toListedCampaign(row: CampaignRow, counts: CampaignCounts | null) {
  return {
    id: row.id,
    name: row.name,
    campaign_status: row.state,
    message: row.message,
    agent_id: row.agent_id,
    campaign_start_time: iso(row.start_at),
    campaign_end_time: iso(row.end_at),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    started_at: iso(row.started_at),
    ended_at: iso(row.ended_at),
    ...(counts === null ? {} : toCounts(counts)),
  };
}

/** Everything about one campaign. */
export function toCampaign(
  row: CampaignRow,
  counts: CampaignCounts,
  more: {
    readonly numberIds: readonly string[];
    readonly settings: object;
    readonly spent: number;
    rate: Rate;
  },
) {
  const rules = retryRules('campaign', row.call_config, null);
  const breaker = breakerRules(row.breaker, (more.settings as { circuit_breaker?: unknown }).circuit_breaker);
  return {
    ...toListedCampaign(row, null),
    ...toCounts(counts),
    list_id: row.id,
    bulk_list_id: row.id,
    call_config: row.call_config,
    from_numbers: [...more.numberIds],
    number_pool_id: row.number_pool_id,
    callback_url: callbackUrl(row),
    concurrency_percentage: row.concurrency_percentage,
    circuit_breaker: {
      failed_share: breaker.failedShare,
      window_calls: breaker.window,
      minimum_calls: breaker.minimum,
    },
    retry_budget: {
      retry_count: rules.retries,
      retry_busy: rules.delayMs.busy / MINUTE_MS,
      retry_not_picked: rules.delayMs.not_picked / MINUTE_MS,
      retry_failed: rules.delayMs.failed / MINUTE_MS,
    },
    spent_credits: toCredits(more.spent),
    required_credits: toCredits(waitingOf(counts) * pulsePrice(more.rate)),
    total_rows: row.total_rows,
    successful_rows: row.successful_rows,
    failed_rows: row.failed_rows,
  };
}

const callbackUrl = (row: CampaignRow): string | null => {
  const url = row.callback?.['url'];
  return typeof url === 'string' ? url : null;
};
