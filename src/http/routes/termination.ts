import { terminateCalls } from '../../domain/calls/terminate-calls.ts';
import {
  addDoNotCallNumbers,
  readDoNotCall,
  removeDoNotCallNumbers,
} from '../../domain/numbers/do-not-call-list.ts';
import { idempotent } from '../idempotent.ts';
import { answers, IdempotencyHeader } from '../schemas/common.ts';
import {
  DoNotCallAdded,
  DoNotCallBody,
  DoNotCallList,
  DoNotCallQuery,
  DoNotCallRemoved,
  TerminateAnswer,
  TerminateBody,
} from '../schemas/termination.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Server } from '../type-provider.ts';

/** PATCH /campaign/terminate; GET, POST and DELETE /dnc: what keeps calls from being dialled. */
export function terminationRoutes(app: Server, deps: ServerDeps): void {
  const write = { rateClass: 'write' } as const;

  app.patch(
    '/campaign/terminate',
    {
      config: write,
      schema: {
        operationId: 'terminateCalls',
        summary: 'Stop queued and retry calls',
        description:
          "None of them is dialled after the answer. Live calls go on, and are not tried again. 400 when nothing is left to stop. A campaign ends terminated whatever was left of it, one that was over stays as it is; an agent's running campaigns end with its calls, contact lists that were not started stay.",
        tags: ['Campaigns'],
        body: TerminateBody,
        response: answers(TerminateAnswer, 400, 404, 413, 415, 422),
      },
    },
    async ({ caller, body }) => {
      const { terminated } = await terminateCalls(deps, caller.workspaceId, {
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
        tags: ['Numbers'],
        querystring: DoNotCallQuery,
        response: answers(DoNotCallList, 404, 422),
      },
    },
    ({ caller, query }) =>
      readDoNotCall(
        deps,
        caller.workspaceId,
        { campaignId: query.campaign_id ?? null, number: query.mobile_number ?? null },
        { limit: query.limit ?? 100, offset: query.offset ?? 0 },
      ),
  );

  app.post(
    '/dnc',
    {
      config: write,
      schema: {
        operationId: 'addDoNotCall',
        summary: 'List numbers that are not called; calls queued to them are cancelled',
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
          campaignId ?? null,
          numbers,
        );
        const answer = {
          message: 'Do-not-call list updated successfully',
          added_count: added,
          cancelled_count: cancelled,
        };
        // Doing it again changes nothing, so the answer need not be kept in the same transaction.
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
        summary: 'Take numbers off the do-not-call list',
        tags: ['Numbers'],
        body: DoNotCallBody,
        response: answers(DoNotCallRemoved, 400, 404, 413, 415, 422),
      },
    },
    async ({ caller, body }) => {
      const { removed } = await removeDoNotCallNumbers(
        deps,
        caller.workspaceId,
        body.campaign_id ?? null,
        body.mobile_numbers,
      );
      return { message: 'Do-not-call list updated successfully', removed_count: removed };
    },
  );
}
