import { changeAlerts, readAlerts, type QualityAlert } from '../../domain/quality/alerts.ts';
import type { DetectorName } from '../../rehearsal/detect/alarm.ts';
import { answers } from '../common/schemas.ts';
import { iso } from '../common/values.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';
import { AlertsAnswer, AlertsBody } from './alert-schemas.ts';

type Deps = Pick<ServerDeps, 'db'>;

const tags = ['Quality'];
const DEFAULTS = { margin: 5, minimumCalls: 20, windowHours: 24 };

const toAlerts = (alerts: readonly QualityAlert[]) => ({
  alerts: alerts.map((alert) => ({
    name: alert.name,
    agent_id: alert.agentId,
    measure: alert.measure,
    detector: alert.detector as DetectorName | null,
    threshold: alert.threshold,
    margin: alert.margin,
    minimum_calls: alert.minimumCalls,
    window_hours: alert.windowHours,
    raised_at: alert.raisedAt === null ? null : iso(alert.raisedAt),
    measured:
      alert.measuredAt === null
        ? null
        : { at: iso(alert.measuredAt), calls: alert.measuredCalls ?? 0, value: alert.measuredValue },
  })),
});

/** GET and PUT /quality/alerts. */
export function alertRoutes(app: Server, deps: Deps): void {
  app.get(
    '/quality/alerts',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'getQualityAlerts',
        summary: 'Rules over the quality of calls, and which alerts are raised',
        description: 'Every rule is measured once a minute.',
        tags,
        response: answers(AlertsAnswer),
      },
    },
    async ({ caller }) => toAlerts(await readAlerts(deps, caller.workspaceId)),
  );

  app.put(
    '/quality/alerts',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'setQualityAlerts',
        summary: 'Replace the rules over the quality of calls',
        description:
          'A raised or cleared alert is an entry of the audit log, an event `quality_alert` and a mail to `notice_addresses`. A rule that stays as it was keeps whether it is raised; a removed one is not cleared.',
        tags,
        body: AlertsBody,
        response: answers(AlertsAnswer, 400, 413, 415, 422),
      },
    },
    async ({ caller, body, changeEntry }) =>
      toAlerts(
        await changeAlerts(
          deps,
          caller.workspaceId,
          changeEntry,
          body.alerts.map((alert) => ({
            name: alert.name,
            agentId: alert.agent_id ?? null,
            measure: alert.measure,
            detector: alert.detector ?? null,
            threshold: alert.threshold,
            margin: alert.margin ?? DEFAULTS.margin,
            minimumCalls: alert.minimum_calls ?? DEFAULTS.minimumCalls,
            windowHours: alert.window_hours ?? DEFAULTS.windowHours,
          })),
        ),
      ),
  );
}
