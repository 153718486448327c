import { readAudit } from '../../domain/audit/read-audit.ts';
import { readMoment } from '../moment.ts';
import { AuditPage, AuditQuery } from '../schemas/audit.ts';
import { answers } from '../schemas/common.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Server } from '../type-provider.ts';

/** GET /workspace/audit-log: who did what. */
export function auditRoutes(app: Server, deps: ServerDeps): void {
  app.get(
    '/workspace/audit-log',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'listAuditLog',
        summary: 'Who did what in the workspace, newest first',
        description:
          'Every request that may change something, refused ones too, and every recording that was listened to. Entries cannot be changed; how long they are kept is part of the retention rules.',
        tags: ['Workspace'],
        querystring: AuditQuery,
        response: answers(AuditPage, 400, 422),
      },
    },
    ({ caller, query }) =>
      readAudit(
        deps,
        caller.workspaceId,
        {
          action: query.action ?? null,
          actor: query.actor ?? null,
          requestId: query.request_id ?? null,
          objectId: query.object_id ?? null,
          since: query.start_date === undefined ? null : readMoment('start_date', query.start_date).from,
          before: query.end_date === undefined ? null : readMoment('end_date', query.end_date).until,
          beforeId: query.before ?? null,
        },
        query.limit ?? 50,
      ),
  );
}
