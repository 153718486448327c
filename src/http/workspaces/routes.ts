import { readNumbers } from '../../domain/numbers/list-numbers.ts';
import {
  changeWorkspaceSettings,
  readWorkspaceSettings,
} from '../../domain/workspaces/workspace-settings.ts';
import { readReachableWorkspaces, readWorkspace } from '../../domain/workspaces/read-workspaces.ts';
import { errors } from '../../errors.ts';
import { ownSettings } from '../../store/json/workspace-settings.ts';
import { answers, failures } from '../common/schemas.ts';
import {
  NumberList,
  WorkspaceInfo,
  WorkspaceList,
  WorkspaceSettings,
  WorkspaceSettingsBody,
} from './schemas.ts';
import { toNumber } from '../numbers/wire.ts';
import { toReachableWorkspace, toSettings, toWorkspace } from './wire.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';

type WorkspacesRouteDeps = Pick<ServerDeps, 'db' | 'clock' | 'sendsMail' | 'kickJobs'>;

/** GET /workspace, /workspace/all, /workspace/numbers; PATCH /workspace/api-key, which always answers 403. */
export function workspaceRoutes(app: Server, deps: WorkspacesRouteDeps): void {
  const config = { rateClass: 'read' } as const;
  const tags = ['Workspace'];

  app.get(
    '/workspace',
    {
      config,
      schema: {
        operationId: 'getWorkspace',
        summary: 'The workspace of the key; the simplest way to check a key',
        description: 'With its balance and the credits that live calls hold.',
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
        description: 'For a key: its workspace alone. For a session: every workspace of the user.',
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
        description: 'The id of a number is the from_number_id of a call; E.164 is accepted there, too.',
        tags,
        response: answers(NumberList),
      },
    },
    async (request) => ({
      workspace_numbers: (await readNumbers(deps, request.caller.workspaceId)).map(toNumber),
    }),
  );

  app.get(
    '/workspace/settings',
    {
      config,
      schema: {
        operationId: 'getWorkspaceSettings',
        summary: 'The settings of the workspace that hold for all of its agents',
        description: 'A change holds from the next request on.',
        tags,
        response: answers(WorkspaceSettings),
      },
    },
    async ({ caller }) => toSettings(await readWorkspaceSettings(deps, caller.workspaceId)),
  );

  app.patch(
    '/workspace/settings',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'setWorkspaceSettings',
        summary: 'Change the settings of the workspace',
        description:
          'Absent settings stay. They hold from the next request on. open_destinations needs an owner who is signed in: a key gets 403. timezone gets 409 while the days of the workspace are being moved to another zone.',
        tags,
        body: WorkspaceSettingsBody,
        response: answers(WorkspaceSettings, 400, 403, 409, 413, 415, 422),
      },
    },
    async ({ caller, body, changeEntry }) => {
      const settings = await changeWorkspaceSettings(deps, caller, changeEntry, ownSettings.read(body));
      if (settings.timezoneChange !== null) deps.kickJobs?.();
      return toSettings(settings);
    },
  );

  app.patch(
    '/workspace/api-key',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'rotateKey',
        summary: 'Always refused: keys are created in the dashboard only',
        description:
          'Answers 403 to every request, and is here because the interface has it. Do not call it.',
        deprecated: true,
        tags,
        response: failures(403),
      },
    },
    () => {
      throw errors.keysInDashboardOnly();
    },
  );
}
