import { qualityByTrunk, type QualityShare } from '../../store/analysis/quality.ts';
import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import {
  countByClass,
  countByDuration,
  countEvaluations,
  foldEndings,
  sumAll,
  sumByDay,
  sumByCampaign,
  sumByNumber,
  sumByOutcome,
  sumByVersion,
  type AnalyticsFilter,
  type EvaluationCounts,
  type NumberSums,
  type OutcomeSums,
  type Sums,
  type VersionSums,
} from '../../store/analysis/analytics.ts';
import { sumByVendor, type VendorSums } from '../../store/analysis/vendor-sums.ts';
import { countResults, type ResultCount } from '../../store/analysis/results.ts';
import type { Db } from '../../store/database.ts';

export type { AnalyticsFilter, EvaluationCounts, QualityShare, Sums, VendorSums };
export type Period = Pick<AnalyticsFilter, 'firstDay' | 'lastDay'>;
export type NumberTotals = NumberSums;

export interface PlatformTotals {
  readonly sums: Sums;
  readonly failed: number;
  readonly error: number;
  readonly cancelled: number;
  readonly outbound: number;
  readonly inbound: number;
  readonly web: number;
  readonly days: readonly { readonly day: string; readonly sums: Sums }[];
}
export interface DrillDown {
  readonly outcomes: readonly {
    readonly status: string;
    readonly sums: Sums;
    readonly subStatuses: readonly { readonly subStatus: string; readonly sums: Sums }[];
  }[];
  readonly agents: readonly {
    readonly agentId: string;
    readonly agentName: string | null;
    readonly sums: Sums;
    readonly versions: readonly VersionSums[];
  }[];
  readonly campaigns: readonly ({ readonly campaignId: string } & Sums)[];
}
export interface DurationDistribution {
  readonly answered: number;
  readonly durationMs: number;
  readonly buckets: readonly {
    readonly fromSeconds: number;
    /** Null: the last bucket. */
    readonly toSeconds: number | null;
    readonly calls: number;
  }[];
}
interface LabelCount {
  readonly label: string;
  readonly calls: number;
}
export interface Classifications {
  /** Ended calls. */
  readonly total: number;
  readonly analysed: number;
  /** Most calls first. */
  readonly classifications: readonly LabelCount[];
  readonly sentiments: readonly LabelCount[];
  /** Of ended calls, most calls first. */
  readonly results: readonly ResultCount[];
}

export const NO_SUMS: Sums = {
  calls: 0,
  answered: 0,
  completed: 0,
  attempts: 0,
  answeredAttempts: 0,
  durationMs: 0,
  talkMs: 0,
  cost: 0,
};

export const addSums = (a: Sums, b: Sums): Sums => ({
  calls: a.calls + b.calls,
  answered: a.answered + b.answered,
  completed: a.completed + b.completed,
  attempts: a.attempts + b.attempts,
  answeredAttempts: a.answeredAttempts + b.answeredAttempts,
  durationMs: a.durationMs + b.durationMs,
  talkMs: a.talkMs + b.talkMs,
  cost: a.cost + b.cost,
});

/** Endings folded into the day sums before a read: after a burst of endings the sums must not scan them one by one. */
const FOLD_BEFORE_READ = 20_000;
const MAX_CAMPAIGNS = 1000;
export const MOST_RESULTS = 50;
/** Lower bounds in seconds of the duration buckets of the SQL function `ending_bucket`. */
const BOUNDS = [0, 10, 30, 60, 120, 300, 600];

export interface Deps {
  readonly db: Db;
}

/**
 * Checks the filter and folds the endings that wait. Returns null for an id that is not a UUID: it matches nothing,
 * like an id of another workspace. Throws 422 if the last day is before the first.
 */
export async function prepare(
  deps: Deps,
  workspaceId: string,
  filter: AnalyticsFilter,
): Promise<AnalyticsFilter | null> {
  if (filter.firstDay !== null && filter.lastDay !== null && filter.firstDay > filter.lastDay) {
    throw errors.invalid('end_date', 'must not be before start_date');
  }
  if ([filter.agentId, filter.campaignId].some((id) => id !== null && !isUuid(id))) return null;
  await deps.db.transaction().execute((tx) => foldEndings(tx, workspaceId, FOLD_BEFORE_READ));
  return filter;
}

/** Totals of the ended calls, by status, by type and by day. */
export async function readPlatformAnalytics(
  deps: Deps,
  workspaceId: string,
  requested: AnalyticsFilter,
): Promise<PlatformTotals> {
  const filter = await prepare(deps, workspaceId, requested);
  const [outcomes, sums, days] =
    filter === null
      ? [[], NO_SUMS, []]
      : await Promise.all([
          sumByOutcome(deps.db, workspaceId, filter),
          sumAll(deps.db, workspaceId, filter),
          sumByDay(deps.db, workspaceId, filter),
        ]);
  const count = (has: (o: OutcomeSums) => boolean): number =>
    outcomes.filter(has).reduce((sum, o) => sum + o.calls, 0);
  return {
    sums,
    failed: count((o) => o.status === 'failed'),
    error: count((o) => o.status === 'error'),
    cancelled: count((o) => o.status === 'cancelled'),
    outbound: count((o) => o.callType === 'outbound'),
    inbound: count((o) => o.callType === 'inbound'),
    web: count((o) => o.callType === 'webcall'),
    days: days.map(({ day, ...sums }) => ({ day, sums })),
  };
}

/** The same calls by outcome and reason, by agent and version, and by campaign. */
export async function readDrillDown(
  deps: Deps,
  workspaceId: string,
  requested: AnalyticsFilter,
): Promise<DrillDown> {
  const filter = await prepare(deps, workspaceId, requested);
  const [outcomes, versions, campaigns] =
    filter === null
      ? [[], [], []]
      : await Promise.all([
          sumByOutcome(deps.db, workspaceId, filter),
          sumByVersion(deps.db, workspaceId, filter),
          sumByCampaign(deps.db, workspaceId, filter, MAX_CAMPAIGNS),
        ]);
  const total = (group: readonly Sums[]): Sums => group.reduce(addSums, NO_SUMS);
  return {
    outcomes: [...Map.groupBy(outcomes, (o) => o.status)].map(([status, group]) => ({
      status,
      sums: total(group),
      subStatuses: [...Map.groupBy(group, (o) => o.subStatus)].map(([subStatus, same]) => ({
        subStatus,
        sums: total(same),
      })),
    })),
    agents: [...Map.groupBy(versions, (v) => v.agentId)].map(([agentId, group]) => ({
      agentId,
      agentName: group[0]?.agentName ?? null,
      sums: total(group),
      versions: group,
    })),
    campaigns,
  };
}

/** The same calls by number of the workspace. */
export async function readNumberAnalytics(
  deps: Deps,
  workspaceId: string,
  requested: AnalyticsFilter,
): Promise<NumberTotals[]> {
  const filter = await prepare(deps, workspaceId, requested);
  return filter === null ? [] : sumByNumber(deps.db, workspaceId, filter);
}

/** Answered calls by duration. */
export async function readDurationDistribution(
  deps: Deps,
  workspaceId: string,
  requested: AnalyticsFilter,
): Promise<DurationDistribution> {
  const filter = await prepare(deps, workspaceId, requested);
  const counted = filter === null ? [] : await countByDuration(deps.db, workspaceId, filter);
  const byBucket = new Map(counted.map((c) => [c.bucket, c.calls]));
  return {
    answered: counted.reduce((sum, c) => sum + c.calls, 0),
    durationMs: counted.reduce((sum, c) => sum + c.durationMs, 0),
    buckets: BOUNDS.map((fromSeconds, bucket) => ({
      fromSeconds,
      toSeconds: BOUNDS[bucket + 1] ?? null,
      calls: byBucket.get(bucket) ?? 0,
    })),
  };
}

/** Analysed calls by classification and sentiment, and ended calls by result. */
export async function readClassifications(
  deps: Deps,
  workspaceId: string,
  requested: AnalyticsFilter,
): Promise<Classifications> {
  const filter = await prepare(deps, workspaceId, requested);
  const total = filter === null ? NO_SUMS : await sumAll(deps.db, workspaceId, filter);
  const counts = filter === null ? [] : await countByClass(deps.db, workspaceId, filter);
  const results = filter === null ? [] : await countResults(deps.db, workspaceId, filter, MOST_RESULTS);
  const byLabel = (labelOf: (c: (typeof counts)[number]) => string | null): LabelCount[] =>
    [...Map.groupBy(counts, labelOf)]
      .filter((entry): entry is [string, typeof counts] => entry[0] !== null)
      .map(([label, group]) => ({ label, calls: group.reduce((sum, c) => sum + c.calls, 0) }))
      .sort((a, b) => b.calls - a.calls || (a.label < b.label ? -1 : 1));
  return {
    total: total.calls,
    analysed: counts.reduce((sum, c) => sum + c.calls, 0),
    classifications: byLabel((c) => c.classification),
    sentiments: byLabel((c) => c.sentiment),
    results,
  };
}

/** What the conversations of ended calls used of each vendor's models. */
export async function readVendorUsage(
  deps: Deps,
  workspaceId: string,
  requested: AnalyticsFilter,
): Promise<VendorSums> {
  const filter = await prepare(deps, workspaceId, requested);
  return filter === null
    ? { calls: 0, talkMs: 0, vendors: [], agents: [] }
    : sumByVendor(deps.db, workspaceId, filter);
}

/** How good the audio of ended calls was, by direction and trunk. */
export async function readQuality(
  deps: Deps,
  workspaceId: string,
  requested: AnalyticsFilter,
): Promise<readonly QualityShare[]> {
  const filter = await prepare(deps, workspaceId, requested);
  return filter === null ? [] : qualityByTrunk(deps.db, workspaceId, filter);
}

/** How the analysed conversations of each version met the criteria. */
export async function readEvaluations(
  deps: Deps,
  workspaceId: string,
  requested: AnalyticsFilter,
): Promise<readonly EvaluationCounts[]> {
  const filter = await prepare(deps, workspaceId, requested);
  return filter === null ? [] : countEvaluations(deps.db, workspaceId, filter);
}
