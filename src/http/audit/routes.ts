import { allows } from '../../domain/access/access.ts';
import { accessOf } from '../../domain/access/table.ts';
import { namedObjects } from '../../domain/audit/named-objects.ts';
import { readAudit } from '../../domain/audit/read-audit.ts';
import { readMoment } from '../common/moment.ts';
import { AuditPage, AuditQuery } from './schemas.ts';
import { answers } from '../common/schemas.ts';
import { toAuditPage } from '../workspaces/wire.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';

type AuditRouteDeps = Pick<ServerDeps, 'db'>;

const DEFAULT_LIMIT = 50;

/** GET /workspace/audit-log. */
export function auditRoutes(app: Server, deps: AuditRouteDeps): void {
  app.get(
    '/workspace/audit-log',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'listAuditLog',
        summary: 'The audit log of the workspace, newest first',
        description:
          'Every request that may change something, refused requests included, and every playback of a recording. Entries are immutable; the retention rules set how long they are kept.',
        tags: ['Workspace'],
        querystring: AuditQuery,
        response: answers(AuditPage, 400, 422),
      },
    },
    async ({ caller, query }) => {
      const filter = {
        action: query.action ?? null,
        actor: query.actor ?? null,
        requestId: query.request_id ?? null,
        objectId: query.object_id ?? null,
        since: query.start_date === undefined ? null : readMoment('start_date', query.start_date).from,
        before: query.end_date === undefined ? null : readMoment('end_date', query.end_date).until,
        beforeId: query.before ?? null,
      };
      const page = await readAudit(deps, caller.workspaceId, filter, query.limit ?? DEFAULT_LIMIT);
      const may = (operation: string): boolean => allows(accessOf(operation), caller.principal);
      return toAuditPage(page, await namedObjects(deps, caller.workspaceId, page.entries, may));
    },
  );
}
