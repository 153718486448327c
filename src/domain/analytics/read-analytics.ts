import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import {
  countByClass,
  countByDuration,
  foldEndings,
  sumAll,
  sumByDay,
  sumByLane,
  sumByNumber,
  sumByOutcome,
  sumByVersion,
  type AnalyticsFilter,
  type OutcomeSums,
} from '../../store/analytics.ts';
import type { Db } from '../../store/database.ts';
import { addSums, NO_SUMS, ratio, toMeasures } from './measures.ts';

export type { AnalyticsFilter };
/** Endings folded before a read, so that reading stays cheap after many calls ended at once. */
const FOLD_BEFORE_READ = 20_000;
const MAX_CAMPAIGNS = 1000;
/** Lower bounds in seconds of the length buckets that migration 0004 counts by. */
const BOUNDS = [0, 10, 30, 60, 120, 300, 600];

interface Deps {
  readonly db: Db;
}

/**
 * Makes the filter ready for the store and folds what waits. Null: an id that cannot exist matches nothing, like one
 * of another workspace. 422 for days the wrong way round.
 */
async function prepare(
  deps: Deps,
  workspaceId: string,
  filter: AnalyticsFilter,
): Promise<AnalyticsFilter | null> {
  if (filter.firstDay !== null && filter.lastDay !== null && filter.firstDay > filter.lastDay) {
    throw errors.invalid('end_date', 'must not be before start_date');
  }
  if ([filter.agentId, filter.laneId].some((id) => id !== null && !isUuid(id))) return null;
  await deps.db.transaction().execute((tx) => foldEndings(tx, workspaceId, FOLD_BEFORE_READ));
  return filter;
}

const period = (filter: AnalyticsFilter) => ({ start_date: filter.firstDay, end_date: filter.lastDay });

/** Totals of the ended calls, by outcome, by kind and by day. */
export async function readPlatformAnalytics(deps: Deps, workspaceId: string, asked: AnalyticsFilter) {
  const filter = await prepare(deps, workspaceId, asked);
  const [outcomes, days] =
    filter === null
      ? [[], []]
      : await Promise.all([
          sumByOutcome(deps.db, workspaceId, filter),
          sumByDay(deps.db, workspaceId, filter),
        ]);
  const count = (has: (o: OutcomeSums) => boolean): number =>
    outcomes.filter(has).reduce((sum, o) => sum + o.calls, 0);
  return {
    ...period(asked),
    ...toMeasures(outcomes.reduce(addSums, NO_SUMS)),
    failed_calls: count((o) => o.status === 'failed'),
    error_calls: count((o) => o.status === 'error'),
    cancelled_calls: count((o) => o.status === 'cancelled'),
    outbound_calls: count((o) => o.callType === 'outbound'),
    inbound_calls: count((o) => o.callType === 'inbound'),
    web_calls: count((o) => o.callType === 'webcall'),
    daily: days.map(({ day, ...sums }) => ({ date: day, ...toMeasures(sums) })),
  };
}

/** The same calls taken apart: by outcome and reason, by agent and version, by campaign. */
export async function readDrillDown(deps: Deps, workspaceId: string, asked: AnalyticsFilter) {
  const filter = await prepare(deps, workspaceId, asked);
  const [outcomes, versions, lanes] =
    filter === null
      ? [[], [], []]
      : await Promise.all([
          sumByOutcome(deps.db, workspaceId, filter),
          sumByVersion(deps.db, workspaceId, filter),
          sumByLane(deps.db, workspaceId, filter, MAX_CAMPAIGNS),
        ]);
  return {
    ...period(asked),
    outcomes: [...Map.groupBy(outcomes, (o) => o.status)].map(([status, group]) => ({
      status,
      ...toMeasures(group.reduce(addSums, NO_SUMS)),
      sub_statuses: [...Map.groupBy(group, (o) => o.subStatus)].map(([subStatus, same]) => ({
        sub_status: subStatus,
        ...toMeasures(same.reduce(addSums, NO_SUMS)),
      })),
    })),
    agents: [...Map.groupBy(versions, (v) => v.agentId)].map(([agentId, group]) => ({
      agent_id: agentId,
      agent_name: group[0]?.agentName ?? null,
      ...toMeasures(group.reduce(addSums, NO_SUMS)),
      versions: group.map((v) => ({
        version_id: v.versionId,
        version_slug: v.versionSlug,
        ...toMeasures(v),
      })),
    })),
    campaigns: lanes.map(({ laneId, ...sums }) => ({ bulk_list_id: laneId, ...toMeasures(sums) })),
  };
}

/** The same calls by the workspace's number. */
export async function readNumberAnalytics(deps: Deps, workspaceId: string, asked: AnalyticsFilter) {
  const filter = await prepare(deps, workspaceId, asked);
  const numbers = filter === null ? [] : await sumByNumber(deps.db, workspaceId, filter);
  return {
    ...period(asked),
    numbers: numbers.map((n) => ({
      number_id: n.numberId,
      number: n.number,
      display_name: n.displayName,
      ...toMeasures(n),
    })),
  };
}

/** Answered calls by how long they were. */
export async function readDurationDistribution(deps: Deps, workspaceId: string, asked: AnalyticsFilter) {
  const filter = await prepare(deps, workspaceId, asked);
  const counted = filter === null ? [] : await countByDuration(deps.db, workspaceId, filter);
  const answered = counted.reduce((sum, c) => sum + c.calls, 0);
  const durationMs = counted.reduce((sum, c) => sum + c.durationMs, 0);
  const byBucket = new Map(counted.map((c) => [c.bucket, c.calls]));
  return {
    ...period(asked),
    answered_calls: answered,
    total_duration: durationMs / 1000,
    average_duration: answered === 0 ? 0 : Math.round(durationMs / answered) / 1000,
    buckets: BOUNDS.map((from, bucket) => ({
      from_seconds: from,
      to_seconds: BOUNDS[bucket + 1] ?? null,
      calls: byBucket.get(bucket) ?? 0,
      share: ratio(byBucket.get(bucket) ?? 0, answered),
    })),
  };
}

/** Analysed calls by what the analysis made of them. */
export async function readClassifications(deps: Deps, workspaceId: string, asked: AnalyticsFilter) {
  const filter = await prepare(deps, workspaceId, asked);
  const total = filter === null ? NO_SUMS : await sumAll(deps.db, workspaceId, filter);
  const counts = filter === null ? [] : await countByClass(deps.db, workspaceId, filter);
  const analysed = counts.reduce((sum, c) => sum + c.calls, 0);
  const shares = (by: (c: (typeof counts)[number]) => string | null) =>
    [...Map.groupBy(counts, by)]
      .filter((entry): entry is [string, typeof counts] => entry[0] !== null)
      .map(([label, group]) => {
        const calls = group.reduce((sum, c) => sum + c.calls, 0);
        return { label, calls, share: ratio(calls, analysed) };
      })
      .sort((a, b) => b.calls - a.calls || (a.label < b.label ? -1 : 1));
  return {
    ...period(asked),
    total_calls: total.calls,
    analysed_calls: analysed,
    classifications: shares((c) => c.classification),
    sentiments: shares((c) => c.sentiment),
  };
}
