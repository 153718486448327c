import { terminateCalls } from '../../domain/termination/terminate-calls.ts';
import {
  addDoNotCallNumbers,
  readDoNotCall,
  removeDoNotCallNumbers,
} from '../../domain/termination/do-not-call-list.ts';
import { idempotent } from '../server/idempotent.ts';
import { answers, IdempotencyHeader } from '../common/schemas.ts';
import {
  DoNotCallAdded,
  DoNotCallBody,
  DoNotCallList,
  DoNotCallQuery,
  DoNotCallRemoved,
  TerminateAnswer,
  TerminateBody,
} from './schemas.ts';
import { toDoNotCallPage } from '../numbers/wire.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';

type TerminationRouteDeps = Pick<ServerDeps, 'db' | 'clock'>;

/** PATCH /campaign/terminate; GET, POST and DELETE /dnc. */
export function terminationRoutes(app: Server, deps: TerminationRouteDeps): void {
  const write = { rateClass: 'write' } as const;

  app.patch(
    '/campaign/terminate',
    {
      config: write,
      schema: {
        operationId: 'terminateCalls',
        summary: 'Stop queued and retry calls',
        description:
          "None of them is dialled after the answer. Live calls continue and are not retried. 400 when nothing is left to stop. A campaign ends as terminated even with nothing left to dial, a finished one does not change; an agent's running campaigns are terminated with its calls, its contact lists that were never started are not.",
        tags: ['Campaigns'],
        body: TerminateBody,
        response: answers(TerminateAnswer, 400, 404, 413, 415, 422),
      },
    },
    async ({ caller, body, changeEntry }) => {
      const { terminated } = await terminateCalls(deps, caller.workspaceId, changeEntry, {
        campaignId: body.campaign_id ?? null,
        agentId: body.agent_id ?? null,
        callIds: body.call_ids ?? null,
        mobileNumbers: body.mobile_numbers ?? null,
      });
      return { message: 'Calls terminated successfully', terminated_count: terminated };
    },
  );

  app.get(
    '/dnc',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'listDoNotCall',
        summary: 'The do-not-call list, newest first',
        description:
          'No call is placed to these numbers. People who ask for no more calls are added by the service.',
        tags: ['Numbers'],
        querystring: DoNotCallQuery,
        response: answers(DoNotCallList, 404, 422),
      },
    },
    async ({ caller, query }) => {
      const filter = { campaignId: query.campaign_id ?? null, number: query.mobile_number ?? null };
      const page = { limit: query.limit ?? 100, offset: query.offset ?? 0 };
      return toDoNotCallPage(await readDoNotCall(deps, caller.workspaceId, filter, page));
    },
  );

  app.post(
    '/dnc',
    {
      config: write,
      schema: {
        operationId: 'addDoNotCall',
        summary: 'Add numbers to the do-not-call list; calls queued to them are cancelled',
        description: 'A number that is on the list already stays.',
        tags: ['Numbers'],
        headers: IdempotencyHeader,
        body: DoNotCallBody,
        response: answers(DoNotCallAdded, 400, 404, 409, 413, 415, 422),
      },
    },
    (request, reply) =>
      idempotent(deps, request, reply, async (store) => {
        const { campaign_id: campaignId, mobile_numbers: numbers } = request.body;
        const { workspaceId } = request.caller;
        const { added, cancelled } = await addDoNotCallNumbers(
          deps,
          workspaceId,
          request.changeEntry,
          campaignId ?? null,
          numbers,
        );
        const answer = {
          message: 'Do-not-call list updated successfully',
          added_count: added,
          cancelled_count: cancelled,
        };
        // Adding is idempotent, so the answer may be stored outside the transaction of the change.
        await store(deps.db, answer);
        return answer;
      }),
  );

  app.delete(
    '/dnc',
    {
      config: write,
      schema: {
        operationId: 'removeDoNotCall',
        summary: 'Remove numbers from the do-not-call list',
        description: 'Calls that were cancelled are not placed again.',
        tags: ['Numbers'],
        body: DoNotCallBody,
        response: answers(DoNotCallRemoved, 400, 404, 413, 415, 422),
      },
    },
    async ({ caller, body, changeEntry }) => {
      const { removed } = await removeDoNotCallNumbers(
        deps,
        caller.workspaceId,
        changeEntry,
        body.campaign_id ?? null,
        body.mobile_numbers,
      );
      return { message: 'Do-not-call list updated successfully', removed_count: removed };
    },
  );
}
