import {
  allocateCredits,
  createSubWorkspace,
  readSubWorkspaces,
  setConcurrency,
  type SubWorkspace,
} from '../../domain/workspaces/sub-workspaces.ts';
import { moveNumbersTo, movePoolTo, type Moved } from '../../domain/workspaces/move-numbers.ts';
import { idempotent } from '../idempotent.ts';
import { answers, IdempotencyHeader } from '../schemas/common.ts';
import {
  ConcurrencyBody,
  CreateSubWorkspaceBody,
  CreditBalancesAnswer,
  CreditBalancesBody,
  MovedAnswer,
  MoveNumbersBody,
  MovePoolBody,
  SubWorkspaceAnswer,
  SubWorkspaceList,
  SubWorkspaceParams,
} from '../schemas/sub-workspaces.ts';
import { toSubWorkspace } from '../wire/workspaces.ts';
import { toCredits } from '../../domain/credits/price.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Server } from '../type-provider.ts';

const toMoved = ({ workspaceId, numberIds }: Moved) => ({
  message: 'Numbers moved successfully',
  workspace_id: workspaceId,
  from_number_ids: [...numberIds],
});

/** GET and POST /workspace/sub, PATCH of concurrency and credits. */
export function subWorkspaceRoutes(app: Server, deps: ServerDeps): void {
  const tags = ['Workspace'];
  const write = { rateClass: 'write' } as const;

  app.get(
    '/workspace/sub',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'listSubWorkspaces',
        summary: 'Child workspaces',
        tags,
        response: answers(SubWorkspaceList),
      },
    },
    async ({ caller }) => ({
      sub_workspaces: (await readSubWorkspaces(deps, caller.workspaceId)).map(toSubWorkspace),
    }),
  );

  app.post(
    '/workspace/sub',
    {
      config: { ...write, role: 'owner' },
      schema: {
        operationId: 'createSubWorkspace',
        summary: 'Create a child workspace',
        description:
          'It has no key until one is created in the dashboard. It shares the concurrency of its parent until it gets its own, takes over the dial limits of its parent, and has unlimited credits if its parent has; otherwise none until they are allocated. Its name must differ from those of its siblings.',
        tags,
        headers: IdempotencyHeader,
        body: CreateSubWorkspaceBody,
        response: answers(SubWorkspaceAnswer, 400, 403, 409, 413, 415, 422),
      },
    },
    (request, reply) =>
      idempotent(deps, request, reply, async (store) => {
        const toAnswer = (child: SubWorkspace) => ({
          message: 'Workspace created successfully',
          sub_workspace: toSubWorkspace(child),
        });
        const { workspaceId } = request.caller;
        const child = await createSubWorkspace(
          deps,
          workspaceId,
          request.changeEntry,
          request.body.name,
          (tx, made) => {
            request.changeEntry?.addChildWorkspaces([made.id]);
            return store(tx, toAnswer(made));
          },
        );
        return toAnswer(child);
      }),
  );

  app.patch(
    '/workspace/sub/:workspace_id/concurrency',
    {
      config: { ...write, role: 'owner' },
      schema: {
        operationId: 'setSubWorkspaceConcurrency',
        summary: 'Set the concurrency of a child workspace',
        tags,
        params: SubWorkspaceParams,
        body: ConcurrencyBody,
        response: answers(SubWorkspaceAnswer, 400, 403, 404, 413, 415, 422),
      },
    },
    async ({ caller, params, body, changeEntry }) => {
      changeEntry?.addChildWorkspaces([params.workspace_id]);
      const child = await setConcurrency(
        deps,
        caller.workspaceId,
        changeEntry,
        params.workspace_id,
        body.concurrency,
      );
      return { message: 'Concurrency updated successfully', sub_workspace: toSubWorkspace(child) };
    },
  );

  const moving =
    'workspace_id is a child, or the parent itself to take numbers back. Calls so far stay where they were made. 409 with the reason for a number that an agent, a campaign or a call uses.';
  app.post(
    '/workspace/sub/:workspace_id/numbers',
    {
      config: { ...write, role: 'owner' },
      schema: {
        operationId: 'moveNumbers',
        summary: 'Move numbers within the family of workspaces',
        description: moving,
        tags,
        params: SubWorkspaceParams,
        body: MoveNumbersBody,
        response: answers(MovedAnswer, 400, 403, 404, 409, 413, 415, 422),
      },
    },
    async ({ caller, params, body, changeEntry }) =>
      toMoved(
        await moveNumbersTo(deps, caller.workspaceId, changeEntry, params.workspace_id, body.from_number_ids),
      ),
  );

  app.post(
    '/workspace/sub/:workspace_id/number-pools',
    {
      config: { ...write, role: 'owner' },
      schema: {
        operationId: 'moveNumberPool',
        summary: 'Move a number pool with its numbers within the family of workspaces',
        description: moving,
        tags,
        params: SubWorkspaceParams,
        body: MovePoolBody,
        response: answers(MovedAnswer, 400, 403, 404, 409, 413, 415, 422),
      },
    },
    async ({ caller, params, body, changeEntry }) =>
      toMoved(
        await movePoolTo(deps, caller.workspaceId, changeEntry, body.number_pool_id, params.workspace_id),
      ),
  );

  app.patch(
    '/workspace/sub/credit-balances',
    {
      config: { ...write, role: 'owner' },
      schema: {
        operationId: 'allocateCredits',
        summary: 'Set the balances of child workspaces',
        tags,
        body: CreditBalancesBody,
        response: answers(CreditBalancesAnswer, 400, 403, 404, 413, 415, 422),
      },
    },
    async ({ caller, body, changeEntry }) => {
      changeEntry?.addChildWorkspaces(Object.keys(body.allocations));
      const { credits, lockedCredits, children } = await allocateCredits(
        deps,
        caller.workspaceId,
        changeEntry,
        body.allocations,
      );
      return {
        message: 'Credit balances updated successfully',
        credits: toCredits(credits),
        locked_credits: toCredits(lockedCredits),
        sub_workspaces: children.map(toSubWorkspace),
      };
    },
  );
}
