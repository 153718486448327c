import { noteAccount } from '../../domain/users/account-log.ts';
import { readNumberSettings, removeNumber, saveNumber } from '../../domain/workspaces/save-number.ts';
import { answers } from '../common/schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';
import {
  NumberBody,
  NumberParams,
  NumberRemoved,
  NumberSettingsAnswer,
  NumberSettingsList,
  NumbersOf,
} from './settings-schemas.ts';
import { toNumberSettings } from './wire.ts';

const tags = ['Numbers'];
const FOR_OPERATORS = 'For operators of the installation, without X-Workspace-Id.';

/** GET /workspace/numbers/settings, PUT and DELETE /workspace/numbers/{number}, for operators. */
export function numberSettingsRoutes(app: Server, deps: Pick<ServerDeps, 'db' | 'clock'>): void {
  app.get(
    '/workspace/numbers/settings',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'listNumberSettings',
        summary: 'The numbers of a workspace with their settings',
        description: `With the trunk of each, and whether PROVISION_FILE declares it. ${FOR_OPERATORS}`,
        tags,
        querystring: NumbersOf,
        response: answers(NumberSettingsList, 403, 404, 422),
      },
    },
    async ({ query }) => ({
      numbers: (await readNumberSettings(deps, query.workspace_id)).map(toNumberSettings),
    }),
  );

  app.put(
    '/workspace/numbers/:number',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'saveNumber',
        summary: 'Add a number to a workspace, or change its settings',
        description: `The next call uses it, without a restart. Absent settings of a number that the workspace has keep their value. 409 when another workspace has the number on the same trunk. A number that PROVISION_FILE declares is set back when the file is applied again. ${FOR_OPERATORS}`,
        tags,
        params: NumberParams,
        body: NumberBody,
        response: answers(NumberSettingsAnswer, 400, 403, 404, 409, 413, 415, 422),
      },
    },
    async ({ params: { number }, body, user, ip }) => {
      const { workspace_id: workspaceId, trunk } = body;
      const saved = await saveNumber(deps, workspaceId, number, {
        trunk,
        ...(body.display_name === undefined ? {} : { displayName: body.display_name }),
        ...(body.is_test_number === undefined ? {} : { isTestNumber: body.is_test_number }),
        ...(body.call_limit === undefined ? {} : { callLimit: body.call_limit }),
        ...(body.purpose === undefined ? {} : { purpose: body.purpose }),
      });
      const objects = { workspace_id: workspaceId, from_number_id: saved.id };
      await noteAccount(deps, user.userId, 'number_saved', { address: ip, objects, workspaceId });
      return { message: 'Number saved successfully', number: toNumberSettings(saved) };
    },
  );

  app.delete(
    '/workspace/numbers/:number',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'removeNumber',
        summary: 'Remove a number from a workspace',
        description: `Its calls so far stay. 409 while a pool, an agent, a campaign or a call uses it; the message names which. A number that PROVISION_FILE declares comes back when the file is applied again. ${FOR_OPERATORS}`,
        tags,
        params: NumberParams,
        querystring: NumbersOf,
        response: answers(NumberRemoved, 403, 404, 409, 422),
      },
    },
    async ({ params: { number }, query: { workspace_id: workspaceId }, user, ip }) => {
      const id = await removeNumber(deps, workspaceId, number);
      const objects = { workspace_id: workspaceId, from_number_id: id };
      await noteAccount(deps, user.userId, 'number_removed', { address: ip, objects, workspaceId });
      return { message: 'Number removed successfully', from_number_id: id };
    },
  );
}
