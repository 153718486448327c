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
import type { ServerDeps } from '../server-deps.ts';
import type { Server } from '../type-provider.ts';

/** GET and POST /workspace/sub, PATCH of their concurrency and of their credits. */
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
    async ({ caller }) => ({ sub_workspaces: await readSubWorkspaces(deps, caller.workspaceId) }),
  );

  app.post(
    '/workspace/sub',
    {
      config: write,
      schema: {
        operationId: 'createSubWorkspace',
        summary: 'Make a child workspace',
        description:
          'It has no key until one is made in the dashboard, and no credits and calls until allocated.',
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
          sub_workspace: child,
        });
        const { workspaceId } = request.caller;
        const child = await createSubWorkspace(deps, workspaceId, request.body.name, (tx, made) => {
          request.changeEntry?.concerns([made.id]);
          return store(tx, toAnswer(made));
        });
        return toAnswer(child);
      }),
  );

  app.patch(
    '/workspace/sub/:workspace_id/concurrency',
    {
      config: write,
      schema: {
        operationId: 'setSubWorkspaceConcurrency',
        summary: 'Give a child workspace calls at once',
        tags,
        params: SubWorkspaceParams,
        body: ConcurrencyBody,
        response: answers(SubWorkspaceAnswer, 400, 403, 404, 413, 415, 422),
      },
    },
    async ({ caller, params, body, changeEntry }) => {
      changeEntry?.concerns([params.workspace_id]);
      return {
        message: 'Concurrency updated successfully',
        sub_workspace: await setConcurrency(deps, caller.workspaceId, params.workspace_id, body.concurrency),
      };
    },
  );

  app.patch(
    '/workspace/sub/credit-balances',
    {
      config: write,
      schema: {
        operationId: 'allocateCredits',
        summary: 'Set the balances of child workspaces',
        tags,
        body: CreditBalancesBody,
        response: answers(CreditBalancesAnswer, 400, 403, 404, 413, 415, 422),
      },
    },
    async ({ caller, body, changeEntry }) => {
      changeEntry?.concerns(Object.keys(body.allocations));
      const { credits, lockedCredits, children } = await allocateCredits(
        deps,
        caller.workspaceId,
        body.allocations,
      );
      return {
        message: 'Credit balances updated successfully',
        credits,
        locked_credits: lockedCredits,
        sub_workspaces: children,
      };
    },
  );
}
