import type { FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { archiveChild, restoreChild } from '../../domain/termination/archive-child.ts';
import {
  allocateCredits,
  createSubWorkspace,
  readSubWorkspaces,
  setConcurrency,
  type SubWorkspace,
} from '../../domain/workspaces/sub-workspaces.ts';
import { moveNumbersTo, movePoolTo, type Moved } from '../../domain/workspaces/move-numbers.ts';
import { idempotent } from '../server/idempotent.ts';
import { answers, IdempotencyHeader } from '../common/schemas.ts';
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
} from './schemas.ts';
import { toSubWorkspace } from '../workspaces/wire.ts';
import { toCredits } from '../../domain/credits/price.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';

type SubWorkspacesRouteDeps = Pick<ServerDeps, 'db' | 'clock'>;

const tags = ['Workspace'];

/** /workspace/sub: child workspaces, their shares and numbers, and their end. */
export function subWorkspaceRoutes(app: Server, deps: SubWorkspacesRouteDeps): void {
  const write = { rateClass: 'write' } as const;

  app.get(
    '/workspace/sub',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'listSubWorkspaces',
        summary: 'Child workspaces',
        description: 'With balance, concurrency, numbers and pools of each; archived ones too.',
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
      config: write,
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
      config: write,
      schema: {
        operationId: 'setSubWorkspaceConcurrency',
        summary: 'Set the concurrency of a child workspace',
        description:
          'The parallel calls of the family stay within those of the parent. Lowering it ends no live call.',
        tags,
        params: SubWorkspaceParams,
        body: ConcurrencyBody,
        response: answers(SubWorkspaceAnswer, 400, 403, 404, 409, 413, 415, 422),
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

  movingRoute(app, {
    path: 'numbers',
    operationId: 'moveNumbers',
    summary: 'Move numbers within the family of workspaces',
    body: MoveNumbersBody,
    move: ({ caller, changeEntry }, to, { from_number_ids: ids }) =>
      moveNumbersTo(deps, caller.workspaceId, changeEntry, to, ids),
  });
  movingRoute(app, {
    path: 'number-pools',
    operationId: 'moveNumberPool',
    summary: 'Move a number pool with its numbers within the family of workspaces',
    body: MovePoolBody,
    move: ({ caller, changeEntry }, to, { number_pool_id: id }) =>
      movePoolTo(deps, caller.workspaceId, changeEntry, id, to),
  });
  stateRoute(app, {
    path: 'archive',
    operationId: 'archiveSubWorkspace',
    summary: 'Archive a child workspace',
    description:
      'Its key and the sessions of people who are members of it alone end, its waiting calls and campaigns are cancelled, calls and chats are refused, and its numbers, concurrency and free credits return to the parent. Its calls, recordings and agents stay. 409 while a call is in progress.',
    message: 'Workspace archived successfully',
    change: ({ caller, changeEntry }, id) => archiveChild(deps, caller.workspaceId, changeEntry, id),
  });
  stateRoute(app, {
    path: 'restore',
    operationId: 'restoreSubWorkspace',
    summary: 'Restore an archived child workspace',
    description: 'It has its agents, members and history again, and no key, numbers and running campaigns.',
    message: 'Workspace restored successfully',
    change: ({ caller, changeEntry }, id) => restoreChild(deps, caller.workspaceId, changeEntry, id),
  });

  app.patch(
    '/workspace/sub/credit-balances',
    {
      config: write,
      schema: {
        operationId: 'allocateCredits',
        summary: 'Set the balances of child workspaces',
        description: 'Credits move between the parent and its children. An error changes no balance.',
        tags,
        body: CreditBalancesBody,
        response: answers(CreditBalancesAnswer, 400, 403, 404, 409, 413, 415, 422),
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

/** POST /workspace/sub/{workspace_id}/{path}, which moves numbers to that workspace. */
function movingRoute<Body extends TSchema>(
  app: Server,
  route: {
    readonly path: string;
    readonly operationId: string;
    readonly summary: string;
    readonly body: Body;
    readonly move: (request: FastifyRequest, to: string, body: Static<Body>) => Promise<Moved>;
  },
): void {
  const { path, operationId, summary, body, move } = route;
  app.post(
    `/workspace/sub/:workspace_id/${path}`,
    {
      config: { rateClass: 'write' },
      schema: {
        operationId,
        summary,
        description:
          'workspace_id is a child, or the parent itself to take numbers back. Calls so far stay where they were made. 409 with the reason for a number that an agent, a campaign or a call uses, and for an archived child.',
        tags,
        params: SubWorkspaceParams,
        body,
        response: answers(MovedAnswer, 400, 403, 404, 409, 413, 415, 422),
      },
    },
    async (request) => {
      const { workspaceId, numberIds } = await move(
        request,
        request.params.workspace_id,
        request.body as Static<Body>,
      );
      return {
        message: 'Numbers moved successfully',
        workspace_id: workspaceId,
        from_number_ids: [...numberIds],
      };
    },
  );
}

/** POST /workspace/sub/{workspace_id}/archive or /restore. */
function stateRoute(
  app: Server,
  route: {
    readonly path: string;
    readonly operationId: string;
    readonly summary: string;
    readonly description: string;
    readonly message: string;
    readonly change: (request: FastifyRequest, id: string) => Promise<SubWorkspace>;
  },
): void {
  const { path, operationId, summary, description, message, change } = route;
  app.post(
    `/workspace/sub/:workspace_id/${path}`,
    {
      config: { rateClass: 'write' },
      schema: {
        operationId,
        summary,
        description,
        tags,
        params: SubWorkspaceParams,
        response: answers(SubWorkspaceAnswer, 403, 404, 409),
      },
    },
    async (request) => {
      const { workspace_id: id } = request.params;
      request.changeEntry?.addChildWorkspaces([id]);
      return { message, sub_workspace: toSubWorkspace(await change(request, id)) };
    },
  );
}
