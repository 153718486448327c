import {
  allocateCredits,
  createSubWorkspace,
  readSubWorkspaces,
  setConcurrency,
  type SubWorkspace,
} from '../../domain/workspaces/sub-workspaces.ts';
import { idempotent } from '../idempotent.ts';
import { answers, IdempotencyHeader } from '../schemas/common.ts';
import {
  ConcurrencyBody,
  CreateSubWorkspaceBody,
  CreditBalancesAnswer,
  CreditBalancesBody,
  SubWorkspaceAnswer,
  SubWorkspaceList,
  SubWorkspaceParams,
} from '../schemas/sub-workspaces.ts';
import { toSubWorkspace } from '../wire/workspaces.ts';
import { toCredits } from '../../domain/credits/price.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Server } from '../type-provider.ts';

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
          'It has no key until one is created in the dashboard, and no credits and no concurrency until they are allocated.',
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
