import { readNumbers } from '../../domain/numbers/list-numbers.ts';
import { readReachableWorkspaces, readWorkspace } from '../../domain/workspaces/read-workspaces.ts';
import { errors } from '../../errors.ts';
import { answers, failures } from '../schemas/common.ts';
import { NumberList, WorkspaceInfo, WorkspaceList } from '../schemas/workspaces.ts';
import { toNumber } from '../wire/numbers.ts';
import { toReachableWorkspace, toWorkspace } from '../wire/workspaces.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Server } from '../type-provider.ts';

/** GET /workspace, /workspace/all, /workspace/numbers; PATCH /workspace/api-key, which always answers 403. */
export function workspaceRoutes(app: Server, deps: ServerDeps): void {
  const config = { rateClass: 'read' } as const;
  const tags = ['Workspace'];

  app.get(
    '/workspace',
    {
      config,
      schema: {
        operationId: 'getWorkspace',
        summary: 'The workspace of the key; the simplest way to check a key',
        tags,
        response: answers(WorkspaceInfo),
      },
    },
    async (request) => ({
      workspace_info: toWorkspace(await readWorkspace(deps, request.caller.workspaceId)),
    }),
  );

  app.get(
    '/workspace/all',
    {
      config,
      schema: {
        operationId: 'listWorkspaces',
        summary: "Every workspace the key's user can access",
        tags,
        response: answers(WorkspaceList),
      },
    },
    async (request) => ({
      workspaces: (await readReachableWorkspaces(deps, request.caller.workspaceId)).map(toReachableWorkspace),
    }),
  );

  app.get(
    '/workspace/numbers',
    {
      config,
      schema: {
        operationId: 'listNumbers',
        summary: 'The numbers of the workspace, unpaged',
        tags,
        response: answers(NumberList),
      },
    },
    async (request) => ({
      workspace_numbers: (await readNumbers(deps, request.caller.workspaceId)).map(toNumber),
    }),
  );

  app.patch(
    '/workspace/api-key',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'rotateKey',
        summary: 'Always refused: keys are created in the dashboard only',
        tags,
        response: failures(403),
      },
    },
    () => {
      throw errors.keysInDashboardOnly();
    },
  );
}
