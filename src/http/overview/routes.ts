import { Type } from 'typebox';
import type { LiveAccess } from '../../domain/access/live-access.ts';
import type { HostLimits } from '../../domain/users/host-limits.ts';
import { readLedger } from '../../domain/credits/read-ledger.ts';
import { readUsage } from '../../domain/workspaces/storage-quotas.ts';
import { readOverview } from '../../domain/workspaces/overview.ts';
import { WorkspaceChanges } from '../../domain/workspaces/workspace-changes.ts';
import { closingOf, lastEventId, streamEvents } from '../live/event-stream.ts';
import { answers, failures } from '../common/schemas.ts';
import { eventStream } from '../live/schemas.ts';
import { StreamPlaces } from '../live/stream-places.ts';
import { LedgerPage, LedgerQuery, OverviewAnswer, UsageAnswer } from './schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';
import { toLedgerEntry, toOverview, toUsage } from './wire.ts';

type OverviewRouteDeps = Pick<ServerDeps, 'db' | 'clock' | 'onRefused'>;

/** At most 500 streams of a workspace, in all processes together; those of one workspace share a query a second. */
const STREAMS = { places: 10_000, parts: 20 };
const DEFAULT_LIMIT = 50;
const tags = ['Workspace'];
const config = { rateClass: 'read' } as const;

/** GET /workspace/overview, /workspace/usage, /workspace/changes and /workspace/credits. */
export function overviewRoutes(
  app: Server,
  deps: OverviewRouteDeps,
  live: LiveAccess,
  limits: HostLimits,
): void {
  const ends = { closing: closingOf(app), live };
  const streams = new StreamPlaces(STREAMS, deps, limits.held('workspace_stream'));
  const changes = new WorkspaceChanges(deps);

  app.get(
    '/workspace/overview',
    {
      config,
      schema: {
        operationId: 'getOverview',
        summary: 'What happens now: live and queued calls, campaigns, webhooks, latency',
        description: 'What the home page of the dashboard shows.',
        tags,
        response: answers(OverviewAnswer),
      },
    },
    async ({ caller }) => toOverview(await readOverview(deps, caller.workspaceId)),
  );

  app.get(
    '/workspace/usage',
    {
      config,
      schema: {
        operationId: 'getUsage',
        summary: 'Stored data and storage quotas',
        description:
          'The service counts the stored data of a workspace every ten minutes to an hour; a workspace is held to its quotas from the count that finds them reached. The operator sets the quotas: recordings_mb, call_records_mb, chats_mb and tests_mb of the limits of the workspace or its parent, or the defaults of the installation.',
        tags,
        response: answers(UsageAnswer),
      },
    },
    async ({ caller }) => toUsage(await readUsage(deps, caller.workspaceId)),
  );

  app.get(
    '/workspace/changes',
    {
      config,
      schema: {
        operationId: 'watchWorkspace',
        summary: 'Learn what changed, without polling',
        description:
          'Server-sent events, at most one a second: {"topics": [...]} of calls, campaigns, webhooks, knowledge, credits, chats, agents, tests and requests (the log of API requests). The first event lists, with the header Last-Event-ID, the topics that changed since that event; without it, none. The stream ends when the session or key may no longer read; connect again with the last id. 429 for the 501st stream of a workspace, and for fewer when other workspaces need the places.',
        tags,
        response: {
          200: eventStream(Type.Ref('ChangeEvent#'), 'The state that the event brings the client to.'),
          ...failures(),
        },
      },
    },
    async (request, reply) => {
      await streamEvents(request, reply, ends, (left, send) => {
        const { workspaceId } = request.caller;
        return streams.within(workspaceId, left, (signal) =>
          changes.watch(workspaceId, lastEventId(request), signal, ({ id, topics }) => send({ topics }, id)),
        );
      });
      return reply;
    },
  );

  app.get(
    '/workspace/credits',
    {
      config,
      schema: {
        operationId: 'listCredits',
        summary: 'Every movement of credits, newest calls first',
        description: 'Charges of calls, and allocations.',
        tags,
        querystring: LedgerQuery,
        response: answers(LedgerPage, 400, 422),
      },
    },
    async ({ caller, query }) => {
      const limit = query.limit ?? DEFAULT_LIMIT;
      const filter = { callId: query.call_id ?? null, before: query.before ?? null };
      const { entries, next } = await readLedger(deps, caller.workspaceId, filter, limit);
      return { entries: entries.map(toLedgerEntry), limit, next_before: next };
    },
  );
}
