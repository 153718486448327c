import type {
  Classifications,
  DrillDown,
  DurationDistribution,
  EvaluationCounts,
  NumberTotals,
  Period,
  PlatformTotals,
  Sums,
  VendorSums,
} from '../../domain/analytics/read-analytics.ts';
import { toCredits } from '../../domain/credits/price.ts';
import { costOf, type PriceTable } from '../../shared/prices.ts';
import { toAgentCosts, toUse, toCost } from '../calls/usage-wire.ts';
import { seconds } from '../common/values.ts';

const DIGITS = 10_000;
/** `part` of `whole` to four digits; 0 when `whole` is 0. */
export const ratio = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * DIGITS) / DIGITS;

export const averageSeconds = (sumMs: number, count: number): number =>
  count === 0 ? 0 : Math.round(sumMs / count) / 1000;

export const toPeriod = ({ firstDay, lastDay }: Period) => ({ start_date: firstDay, end_date: lastDay });

/** Seconds, credits, and rates from 0 to 1. */
export const toMeasures = (sums: Sums) => ({
  total_calls: sums.calls,
  answered_calls: sums.answered,
  completed_calls: sums.completed,
  answer_rate: ratio(sums.answeredAttempts, sums.attempts),
  total_attempts: sums.attempts,
  answered_attempts: sums.answeredAttempts,
  total_duration: seconds(sums.durationMs),
  average_duration: averageSeconds(sums.talkMs, sums.answered),
  total_cost: toCredits(sums.cost),
});

export const toPlatformAnalytics = (period: Period, totals: PlatformTotals) => ({
  ...toPeriod(period),
  ...toMeasures(totals.sums),
  failed_calls: totals.failed,
  error_calls: totals.error,
  cancelled_calls: totals.cancelled,
  outbound_calls: totals.outbound,
  inbound_calls: totals.inbound,
  web_calls: totals.web,
  daily: totals.days.map(({ day, sums }) => ({ date: day, ...toMeasures(sums) })),
});

export const toDrillDown = (period: Period, drill: DrillDown) => ({
  ...toPeriod(period),
  outcomes: drill.outcomes.map((outcome) => ({
    status: outcome.status,
    ...toMeasures(outcome.sums),
    sub_statuses: outcome.subStatuses.map(({ subStatus, sums }) => ({
      sub_status: subStatus,
      ...toMeasures(sums),
    })),
  })),
  agents: drill.agents.map((agent) => ({
    agent_id: agent.agentId,
    agent_name: agent.agentName,
    ...toMeasures(agent.sums),
    versions: agent.versions.map((version) => ({
      version_id: version.versionId,
      version_slug: version.versionSlug,
      ...toMeasures(version),
    })),
  })),
  campaigns: drill.campaigns.map(({ campaignId, ...sums }) => ({
    bulk_list_id: campaignId,
    ...toMeasures(sums),
  })),
});

export const toNumberAnalytics = (period: Period, numbers: readonly NumberTotals[]) => ({
  ...toPeriod(period),
  numbers: numbers.map((number) => ({
    number_id: number.numberId,
    number: number.number,
    display_name: number.displayName,
    ...toMeasures(number),
  })),
});

export const toDurationDistribution = (period: Period, distribution: DurationDistribution) => ({
  ...toPeriod(period),
  answered_calls: distribution.answered,
  total_duration: seconds(distribution.durationMs),
  average_duration: averageSeconds(distribution.durationMs, distribution.answered),
  buckets: distribution.buckets.map(({ fromSeconds, toSeconds, calls }) => ({
    from_seconds: fromSeconds,
    to_seconds: toSeconds,
    calls,
    share: ratio(calls, distribution.answered),
  })),
});

export function toClassificationAnalytics(period: Period, found: Classifications) {
  const toShares = (counts: Classifications['sentiments']) =>
    counts.map(({ label, calls }) => ({ label, calls, share: ratio(calls, found.analysed) }));
  return {
    ...toPeriod(period),
    total_calls: found.total,
    analysed_calls: found.analysed,
    classifications: toShares(found.classifications),
    sentiments: toShares(found.sentiments),
    results: found.results.map((each) => ({ ...each })),
  };
}

/** `passed_share` is of the judged ones; null without any. */
export const toEvaluationAnalytics = (period: Period, counts: readonly EvaluationCounts[]) => ({
  ...toPeriod(period),
  evaluations: counts.map(({ passed, failed, ...count }) => ({
    agent_id: count.agentId,
    agent_name: count.agentName,
    version_id: count.versionId,
    version_slug: count.versionSlug,
    name: count.name,
    passed,
    failed,
    not_judged: count.notJudged,
    passed_share: passed + failed === 0 ? null : ratio(passed, passed + failed),
  })),
});

export function toVendorAnalytics(
  period: Period,
  { calls, talkMs, vendors, agents }: VendorSums,
  prices: PriceTable,
) {
  const costly = vendors.toSorted((a, b) => (costOf(prices, b) ?? 0) - (costOf(prices, a) ?? 0));
  return {
    ...toPeriod(period),
    total_calls: calls,
    total_talk: seconds(talkMs),
    ...toCost(vendors, prices, talkMs),
    agents: toAgentCosts(vendors, agents, prices),
    vendors: costly.map((use) => ({ calls: use.calls, ...toUse(use, prices) })),
  };
}
