import type { TSchema } from 'typebox';
import {
  readClassifications,
  readDrillDown,
  readDurationDistribution,
  readEvaluations,
  readNumberAnalytics,
  readPlatformAnalytics,
  readVendorUsage,
  type AnalyticsFilter,
} from '../../domain/analytics/read-analytics.ts';
import { readDay } from '../moment.ts';
import {
  AnalyticsQuery,
  ClassificationAnalytics,
  DrillDownAnalytics,
  DurationDistribution,
  EvaluationAnalytics,
  NumberAnalytics,
  PlatformAnalytics,
  VendorAnalytics,
} from '../schemas/analytics.ts';
import { answers } from '../schemas/common.ts';
import {
  toClassificationAnalytics,
  toDrillDown,
  toDurationDistribution,
  toEvaluationAnalytics,
  toNumberAnalytics,
  toPlatformAnalytics,
  toVendorAnalytics,
} from '../wire/analytics.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Server } from '../type-provider.ts';

interface Endpoint {
  path: string;
  operationId: string;
  summary: string;
  answer: TSchema;
  /** Reads the sums and returns the response's `data`. */
  read: (deps: ServerDeps, workspaceId: string, filter: AnalyticsFilter) => Promise<object>;
}

const ENDPOINTS: readonly Endpoint[] = [
  {
    path: 'platform-analytics',
    operationId: 'getPlatformAnalytics',
    summary: 'Totals of ended calls, and by day',
    answer: PlatformAnalytics,
    read: async (deps, workspaceId, filter) =>
      toPlatformAnalytics(filter, await readPlatformAnalytics(deps, workspaceId, filter)),
  },
  {
    path: 'drill-down-analytics',
    operationId: 'getDrillDownAnalytics',
    summary: 'Ended calls by outcome, by agent and version, by campaign',
    answer: DrillDownAnalytics,
    read: async (deps, workspaceId, filter) =>
      toDrillDown(filter, await readDrillDown(deps, workspaceId, filter)),
  },
  {
    path: 'number-analytics',
    operationId: 'getNumberAnalytics',
    summary: 'Ended calls by number',
    answer: NumberAnalytics,
    read: async (deps, workspaceId, filter) =>
      toNumberAnalytics(filter, await readNumberAnalytics(deps, workspaceId, filter)),
  },
  {
    path: 'duration-distribution',
    operationId: 'getDurationDistribution',
    summary: 'Answered calls by length',
    answer: DurationDistribution,
    read: async (deps, workspaceId, filter) =>
      toDurationDistribution(filter, await readDurationDistribution(deps, workspaceId, filter)),
  },
  {
    path: 'classification-analytics',
    operationId: 'getClassificationAnalytics',
    summary: 'Analysed calls by classification and sentiment',
    answer: ClassificationAnalytics,
    read: async (deps, workspaceId, filter) =>
      toClassificationAnalytics(filter, await readClassifications(deps, workspaceId, filter)),
  },
  {
    path: 'evaluation-analytics',
    operationId: 'getEvaluationAnalytics',
    summary: 'How the conversations of each version met its criteria',
    answer: EvaluationAnalytics,
    read: async (deps, workspaceId, filter) =>
      toEvaluationAnalytics(filter, await readEvaluations(deps, workspaceId, filter)),
  },
  {
    path: 'vendor-analytics',
    operationId: 'getVendorAnalytics',
    summary: 'What ended calls used of each recogniser, model and speaker, and its cost',
    answer: VendorAnalytics,
    read: async (deps, workspaceId, filter) =>
      toVendorAnalytics(filter, await readVendorUsage(deps, workspaceId, filter), deps.prices),
  },
];

/** GET /analytics/…: sums over the ended calls of the workspace. */
export function analyticsRoutes(app: Server, deps: ServerDeps): void {
  for (const { path, operationId, summary, answer, read } of ENDPOINTS) {
    app.get(
      `/analytics/${path}`,
      {
        config: { rateClass: 'read' },
        schema: {
          operationId,
          summary,
          tags: ['Analytics'],
          querystring: AnalyticsQuery,
          response: answers(answer, 422),
        },
      },
      async (request) => {
        const query = request.query;
        const data = await read(deps, request.caller.workspaceId, {
          agentId: query.agent_id ?? null,
          campaignId: query.bulk_list_id ?? null,
          firstDay: query.start_date === undefined ? null : readDay('start_date', query.start_date),
          lastDay: query.end_date === undefined ? null : readDay('end_date', query.end_date),
        });
        return { status: 'success', data };
      },
    );
  }
}
