import type { TSchema } from 'typebox';
import { compareVersions } from '../../domain/analytics/compare-versions.ts';
import {
  readClassifications,
  readDrillDown,
  readDurationDistribution,
  readEvaluations,
  readNumberAnalytics,
  readPlatformAnalytics,
  readQuality,
  readVendorUsage,
  type AnalyticsFilter,
} from '../../domain/analytics/read-analytics.ts';
import { readHours, readReactionTimes } from '../../domain/analytics/read-reactions.ts';
import { workspaceZone } from '../../domain/workspaces/zone.ts';
import { zoneOfDays } from '../common/zone-of-days.ts';
import { readDay } from '../common/moment.ts';
import {
  AnalyticsQuery,
  ClassificationAnalytics,
  ComparisonAnalytics,
  ComparisonQuery,
  DrillDownAnalytics,
  DurationDistribution,
  EvaluationAnalytics,
  HourAnalytics,
  HourQuery,
  NumberAnalytics,
  PlatformAnalytics,
  QualityAnalytics,
  ReactionAnalytics,
  ReactionQuery,
  VendorAnalytics,
} from './schemas.ts';
import { answers } from '../common/schemas.ts';
import {
  toClassificationAnalytics,
  toDrillDown,
  toDurationDistribution,
  toEvaluationAnalytics,
  toNumberAnalytics,
  toPlatformAnalytics,
  toVendorAnalytics,
} from './wire.ts';
import { toQualityAnalytics } from './quality-wire.ts';
import { toComparison, toHourAnalytics, toReactionAnalytics } from './reactions-wire.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';

type AnalyticsRouteDeps = Pick<ServerDeps, 'db' | 'prices'>;

interface Endpoint {
  path: string;
  operationId: string;
  summary: string;
  description: string;
  answer: TSchema;
  /** Reads the sums and returns the response's `data`. */
  read: (deps: AnalyticsRouteDeps, workspaceId: string, filter: AnalyticsFilter) => Promise<object>;
}

const ENDPOINTS: readonly Endpoint[] = [
  {
    path: 'platform-analytics',
    operationId: 'getPlatformAnalytics',
    summary: 'Totals of ended calls, and by day',
    description: 'answer_rate is the share of dialled attempts that a person answered.',
    answer: PlatformAnalytics,
    read: async (deps, workspaceId, filter) =>
      toPlatformAnalytics(filter, await readPlatformAnalytics(deps, workspaceId, filter)),
  },
  {
    path: 'drill-down-analytics',
    operationId: 'getDrillDownAnalytics',
    summary: 'Ended calls by outcome, by agent and version, by campaign',
    description: 'The same measures as the totals, in groups.',
    answer: DrillDownAnalytics,
    read: async (deps, workspaceId, filter) =>
      toDrillDown(filter, await readDrillDown(deps, workspaceId, filter)),
  },
  {
    path: 'number-analytics',
    operationId: 'getNumberAnalytics',
    summary: 'Ended calls by number',
    description: 'By the number of the workspace that placed or received them.',
    answer: NumberAnalytics,
    read: async (deps, workspaceId, filter) =>
      toNumberAnalytics(filter, await readNumberAnalytics(deps, workspaceId, filter)),
  },
  {
    path: 'duration-distribution',
    operationId: 'getDurationDistribution',
    summary: 'Answered calls by length',
    description: 'The talk time of calls in steps.',
    answer: DurationDistribution,
    read: async (deps, workspaceId, filter) =>
      toDurationDistribution(filter, await readDurationDistribution(deps, workspaceId, filter)),
  },
  {
    path: 'classification-analytics',
    operationId: 'getClassificationAnalytics',
    summary: 'Analysed calls by classification and sentiment',
    description: 'Calls without an analysis are left out.',
    answer: ClassificationAnalytics,
    read: async (deps, workspaceId, filter) =>
      toClassificationAnalytics(filter, await readClassifications(deps, workspaceId, filter)),
  },
  {
    path: 'evaluation-analytics',
    operationId: 'getEvaluationAnalytics',
    summary: 'How the conversations of each version met its criteria',
    description: 'Criteria that could not be judged are counted apart.',
    answer: EvaluationAnalytics,
    read: async (deps, workspaceId, filter) =>
      toEvaluationAnalytics(filter, await readEvaluations(deps, workspaceId, filter)),
  },
  {
    path: 'vendor-analytics',
    operationId: 'getVendorAnalytics',
    summary: 'What ended calls used of each recogniser, model and speaker, and its cost',
    description: "Costs follow the price list of the service, which may differ from a vendor's invoice.",
    answer: VendorAnalytics,
    read: async (deps, workspaceId, filter) =>
      toVendorAnalytics(filter, await readVendorUsage(deps, workspaceId, filter), deps.prices),
  },
  {
    path: 'quality-analytics',
    operationId: 'getQualityAnalytics',
    summary: 'Quality of the audio by direction and trunk',
    description:
      'Mean opinion scores (ITU-T G.107 E-model, 1 to 4.5) of ended calls: the average of each call. Calls whose audio was not measured, such as those of browsers, are left out.',
    answer: QualityAnalytics,
    read: async (deps, workspaceId, filter) =>
      toQualityAnalytics(filter, await readQuality(deps, workspaceId, filter)),
  },
];

/** The filter of a query; its days are those of the workspace's zone. */
async function filterOf(
  deps: AnalyticsRouteDeps,
  workspaceId: string,
  query: { agent_id?: string; bulk_list_id?: string; start_date?: string; end_date?: string },
): Promise<AnalyticsFilter> {
  const zone = await zoneOfDays(deps, workspaceId, query);
  return {
    agentId: query.agent_id ?? null,
    campaignId: query.bulk_list_id ?? null,
    firstDay: query.start_date === undefined ? null : readDay('start_date', query.start_date, zone),
    lastDay: query.end_date === undefined ? null : readDay('end_date', query.end_date, zone),
  };
}

/** GET /analytics/…: sums over the ended calls of the workspace. */
export function analyticsRoutes(app: Server, deps: AnalyticsRouteDeps): void {
  for (const { path, operationId, summary, description, answer, read } of ENDPOINTS) {
    app.get(
      `/analytics/${path}`,
      {
        config: { rateClass: 'read', isHeavy: true },
        schema: {
          operationId,
          summary,
          description,
          tags: ['Analytics'],
          querystring: AnalyticsQuery,
          response: answers(answer, 422),
        },
      },
      async ({ caller: { workspaceId }, query }) => {
        const data = await read(deps, workspaceId, await filterOf(deps, workspaceId, query));
        return { status: 'success', data };
      },
    );
  }
  attemptRoutes(app, deps);
}

/** Reaction times and hours of the day, of attempts on the day of their dialing; two versions side by side. */
function attemptRoutes(app: Server, deps: AnalyticsRouteDeps): void {
  const config = { rateClass: 'read', isHeavy: true } as const;
  const tags = ['Analytics'];
  app.get(
    '/analytics/reaction-analytics',
    {
      config,
      schema: {
        operationId: 'getReactionAnalytics',
        summary: 'Percentiles of the reaction and its parts, by day and version',
        description:
          "Attempts count on the day of their dialing in the workspace's time zone, others on the day they came in.",
        tags,
        querystring: ReactionQuery,
        response: answers(ReactionAnalytics, 422),
      },
    },
    async ({ caller, query }) => {
      const filter = await filterOf(deps, caller.workspaceId, query);
      const times = await readReactionTimes(deps, caller.workspaceId, filter);
      return { status: 'success', data: toReactionAnalytics(filter, times) };
    },
  );
  app.get(
    '/analytics/hour-analytics',
    {
      config,
      schema: {
        operationId: 'getHourAnalytics',
        summary: 'Attempts, answers and reaction by hour of the day',
        description:
          "Attempts count on the day of their dialing in the workspace's time zone, others on the day they came in.",
        tags,
        querystring: HourQuery,
        response: answers(HourAnalytics, 422),
      },
    },
    async ({ caller, query }) => {
      const filter = await filterOf(deps, caller.workspaceId, query);
      const zone = query.timezone ?? (await workspaceZone(deps, caller.workspaceId));
      const hours = await readHours(deps, caller.workspaceId, filter, zone);
      return { status: 'success', data: toHourAnalytics(filter, zone, hours) };
    },
  );
  app.get(
    '/analytics/comparison-analytics',
    {
      config,
      schema: {
        operationId: 'getComparisonAnalytics',
        summary: 'Two versions of an agent side by side',
        description:
          "Calls count on the day of their creation in the workspace's time zone, reaction times on that of the dialing. Each share has the 95 % interval of its difference.",
        tags,
        querystring: ComparisonQuery,
        response: answers(ComparisonAnalytics, 422),
      },
    },
    async ({ caller, query }) => {
      const filter = await filterOf(deps, caller.workspaceId, query);
      const versions = { a: query.version_id, b: query.other_version_id };
      const ofAgent = { ...filter, agentId: query.agent_id };
      const comparison = await compareVersions(deps, caller.workspaceId, ofAgent, versions);
      return { status: 'success', data: toComparison(filter, query.agent_id, comparison) };
    },
  );
}
