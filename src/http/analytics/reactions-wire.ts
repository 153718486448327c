import type { ComparedShare, ComparedVersion, Comparison } from '../../domain/analytics/compare-versions.ts';
import type { Percentiles } from '../../domain/analytics/histogram.ts';
import type { Proportion } from '../../domain/analytics/proportions.ts';
import type { Period } from '../../domain/analytics/read-analytics.ts';
import type { HourFigures, Reactions, ReactionTimes } from '../../domain/analytics/read-reactions.ts';
import { averageSeconds, ratio, toMeasures, toPeriod } from './wire.ts';

const toPercentiles = ({ turns, p50, p95, p99 }: Percentiles) => ({
  turns,
  p50_ms: p50,
  p95_ms: p95,
  p99_ms: p99,
});

const toReactions = (reactions: Reactions) => ({
  reaction: toPercentiles(reactions.reaction),
  endpointing: toPercentiles(reactions.endpointing),
  recognition: toPercentiles(reactions.recognition),
  model: toPercentiles(reactions.model),
  voice: toPercentiles(reactions.voice),
});

export const toReactionAnalytics = (period: Period, times: ReactionTimes) => ({
  ...toPeriod(period),
  ...toReactions(times.all),
  daily: times.days.map(({ day, reactions }) => ({ date: day, ...toReactions(reactions) })),
  versions: times.versions.map((version) => ({
    agent_id: version.agentId,
    agent_name: version.agentName,
    version_id: version.versionId,
    version_slug: version.versionSlug,
    ...toReactions(version.reactions),
  })),
});

export const toHourAnalytics = (period: Period, zone: string, hours: readonly HourFigures[]) => ({
  ...toPeriod(period),
  timezone: zone,
  hours: hours.map(({ hour, attempts, answered, durationMs, reaction }) => ({
    hour,
    attempts,
    answered_attempts: answered,
    answer_rate: ratio(answered, attempts),
    average_duration: averageSeconds(durationMs, answered),
    reaction: reaction === null ? null : toPercentiles(reaction),
  })),
});

const toCompared = ({ versionId, versionSlug, sums, reactions }: ComparedVersion) => ({
  version_id: versionId,
  version_slug: versionSlug,
  ...toMeasures(sums),
  ...toReactions(reactions),
});

const toShare = ({ count, total }: Proportion) => ({
  count,
  total,
  share: total === 0 ? null : ratio(count, total),
});

function verdictOf({ difference }: ComparedShare): 'a_higher' | 'b_higher' | 'within_chance' | 'no_calls' {
  if (difference === null) return 'no_calls';
  if (!difference.isBeyondChance) return 'within_chance';
  return difference.difference > 0 ? 'b_higher' : 'a_higher';
}

export function toComparison(period: Period, agentId: string, { a, b, shares }: Comparison) {
  const digits = (value: number | undefined): number | null => (value === undefined ? null : ratio(value, 1));
  return {
    ...toPeriod(period),
    agent_id: agentId,
    a: toCompared(a),
    b: toCompared(b),
    shares: shares.map((share) => ({
      of: share.of,
      criterion: share.criterion,
      a: toShare(share.a),
      b: toShare(share.b),
      difference: digits(share.difference?.difference),
      low: digits(share.difference?.low),
      high: digits(share.difference?.high),
      verdict: verdictOf(share),
    })),
  };
}
