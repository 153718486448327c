import { readRequest, readRequests } from '../../domain/requests/read-requests.ts';
import { readMoment } from '../common/moment.ts';
import { answers } from '../common/schemas.ts';
import { RequestAnswer, RequestPage, RequestParams, RequestQuery } from './schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';
import { toRequestDetails, toRequestPage } from './wire.ts';

type RequestsRouteDeps = Pick<ServerDeps, 'db'>;

const DEFAULT_LIMIT = 50;
const tags = ['Workspace'];
/** A program that reads the log would fill it. */
const config = { rateClass: 'read', requestLog: 'nothing' } as const;

/** GET /workspace/requests and /workspace/requests/{entry_id}. */
export function requestRoutes(app: Server, deps: RequestsRouteDeps): void {
  app.get(
    '/workspace/requests',
    {
      config,
      schema: {
        operationId: 'listApiRequests',
        summary: 'The latest requests that the workspace’s key sent, newest first',
        description:
          'Every request below /api/v0 with a valid key, also one that was refused or matched no endpoint, about a second after its response. Without requests of signed-in users and those to this log. The newest 1000 are kept (setting REQUEST_LOG_ENTRIES), for 30 days at most; of a burst some may be missing.',
        tags,
        querystring: RequestQuery,
        response: answers(RequestPage, 400, 422),
      },
    },
    async ({ caller, query }) => {
      const filter = {
        method: query.method ?? null,
        path: query.path ?? null,
        statusClass: query.status === undefined ? null : Number(query.status[0]),
        requestId: query.request_id ?? null,
        since: query.start_date === undefined ? null : readMoment('start_date', query.start_date).from,
        before: query.end_date === undefined ? null : readMoment('end_date', query.end_date).until,
        beforeId: query.before ?? null,
      };
      return toRequestPage(
        await readRequests(deps, caller.workspaceId, filter, query.limit ?? DEFAULT_LIMIT),
      );
    },
  );

  app.get(
    '/workspace/requests/:entry_id',
    {
      config,
      schema: {
        operationId: 'getApiRequest',
        summary: 'One request of the log: what was sent, and why it was refused',
        description: 'Secrets are placeholders; headers are not kept.',
        tags,
        params: RequestParams,
        response: answers(RequestAnswer, 404),
      },
    },
    async ({ caller, params }) => ({
      request: toRequestDetails(await readRequest(deps, caller.workspaceId, params.entry_id)),
    }),
  );
}
