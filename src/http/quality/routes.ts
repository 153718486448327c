import { readDetectorShares } from '../../domain/quality/detector-shares.ts';
import { markFalseAlarm } from '../../domain/quality/mark-finding.ts';
import { zoneOfDays } from '../common/zone-of-days.ts';
import { readDay } from '../common/moment.ts';
import { answers } from '../common/schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';
import { FindingAnswer, FindingBody, FindingParams, FindingsAnswer, FindingsQuery } from './schemas.ts';
import { toDetectorShares, toFinding } from './wire.ts';

type Deps = Pick<ServerDeps, 'db' | 'clock'>;

const tags = ['Quality'];

/** What detectors found in calls: PATCH /calling/{call_id}/findings/{detector}, GET /quality/findings. */
export function qualityRoutes(app: Server, deps: Deps): void {
  app.patch(
    '/calling/:call_id/findings/:detector',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'markFinding',
        summary: 'Mark a finding of a call as a false alarm',
        description: 'The history no longer finds the call by it, and the share of its detector counts it.',
        tags,
        params: FindingParams,
        body: FindingBody,
        response: answers(FindingAnswer, 400, 404, 413, 415, 422),
      },
    },
    async ({ caller, params, body, changeEntry }) => ({
      finding: toFinding(
        await markFalseAlarm(deps, caller.workspaceId, changeEntry, {
          callId: params.call_id,
          detector: params.detector,
          isFalse: body.false_alarm,
          by: caller.actor.name,
        }),
      ),
    }),
  );

  app.get(
    '/quality/findings',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'getFindings',
        summary: 'What detectors found in calls, and how often in error',
        description:
          "Days are those on which the calls were checked, in the workspace's time zone and both inclusive.",
        tags,
        querystring: FindingsQuery,
        response: answers(FindingsAnswer, 422),
      },
    },
    async ({ caller, query }) => {
      const zone = await zoneOfDays(deps, caller.workspaceId, query);
      return toDetectorShares(
        await readDetectorShares(deps, caller.workspaceId, {
          agentId: query.agent_id ?? null,
          firstDay: query.start_date === undefined ? null : readDay('start_date', query.start_date, zone),
          lastDay: query.end_date === undefined ? null : readDay('end_date', query.end_date, zone),
        }),
      );
    },
  );
}
