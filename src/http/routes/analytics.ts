import type { TSchema } from 'typebox';
import {
  readClassifications,
  readDrillDown,
  readDurationDistribution,
  readNumberAnalytics,
  readPlatformAnalytics,
  type AnalyticsFilter,
} from '../../domain/analytics/read-analytics.ts';
import { readDay } from '../moment.ts';
import {
  AnalyticsQuery,
  ClassificationAnalytics,
  DrillDownAnalytics,
  DurationDistribution,
  NumberAnalytics,
  PlatformAnalytics,
} from '../schemas/analytics.ts';
import { answers } from '../schemas/common.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Server } from '../type-provider.ts';

type Read = (deps: ServerDeps, workspaceId: string, filter: AnalyticsFilter) => Promise<object>;
interface Endpoint {
  path: string;
  operationId: string;
  summary: string;
  answer: TSchema;
  read: Read;
}

const ENDPOINTS: readonly Endpoint[] = [
  {
    path: 'platform-analytics',
    operationId: 'getPlatformAnalytics',
    summary: 'Totals of ended calls, and by day',
    answer: PlatformAnalytics,
    read: readPlatformAnalytics,
  },
  {
    path: 'drill-down-analytics',
    operationId: 'getDrillDownAnalytics',
    summary: 'Ended calls by outcome, by agent and version, by campaign',
    answer: DrillDownAnalytics,
    read: readDrillDown,
  },
  {
    path: 'number-analytics',
    operationId: 'getNumberAnalytics',
    summary: 'Ended calls by number',
    answer: NumberAnalytics,
    read: readNumberAnalytics,
  },
  {
    path: 'duration-distribution',
    operationId: 'getDurationDistribution',
    summary: 'Answered calls by length',
    answer: DurationDistribution,
    read: readDurationDistribution,
  },
  {
    path: 'classification-analytics',
    operationId: 'getClassificationAnalytics',
    summary: 'Analysed calls by classification and sentiment',
    answer: ClassificationAnalytics,
    read: readClassifications,
  },
];

/** GET /analytics/…: sums over the workspace's ended calls. */
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
          laneId: query.bulk_list_id ?? null,
          firstDay: query.start_date === undefined ? null : readDay('start_date', query.start_date),
          lastDay: query.end_date === undefined ? null : readDay('end_date', query.end_date),
        });
        return { status: 'success', data };
      },
    );
  }
}
