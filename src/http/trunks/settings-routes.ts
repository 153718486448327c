import { deleteTrunk } from '../../domain/trunks/delete-trunk.ts';
import { findTrunkSettings, readTrunkSettings, saveTrunk } from '../../domain/trunks/save-trunk.ts';
import { noteAccount } from '../../domain/users/account-log.ts';
import { toTrunkBody } from '../../wire/provision/schema.ts';
import { answers } from '../common/schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';
import {
  TrunkChecked,
  TrunkDeleted,
  TrunkParams,
  TrunkSettingsAnswer,
  TrunkSettingsBody,
  TrunkSettingsList,
} from './settings-schemas.ts';
import { toTrunkSettings } from './settings-wire.ts';
import { trunkAccountRoutes, type TrunkAccountDeps } from './account-routes.ts';

type TrunkSettingsDeps = Pick<ServerDeps, 'db' | 'clock' | 'seal' | 'link' | 'probeTrunks' | 'checkTrunk'> &
  TrunkAccountDeps;

const tags = ['Workspace'];
const FOR_OPERATORS = 'For operators of the installation, without X-Workspace-Id.';

/** GET /workspace/trunks/settings, PUT and DELETE /workspace/trunks/{trunk_name} and POST of its check, for operators. */
export function trunkSettingsRoutes(app: Server, deps: TrunkSettingsDeps): void {
  const probeTrunks = deps.probeTrunks ?? (() => Promise.resolve([]));

  app.get(
    '/workspace/trunks/settings',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'listTrunkSettings',
        summary: 'The trunks of the installation, with their settings and health',
        description: `Without passwords. ${FOR_OPERATORS}`,
        tags,
        response: answers(TrunkSettingsList, 403),
      },
    },
    async () => {
      const [trunks, probes] = await Promise.all([readTrunkSettings(deps.db), probeTrunks()]);
      return { trunks: trunks.map((trunk) => toTrunkSettings(trunk, probes, deps.link.publicUrl)) };
    },
  );

  app.put(
    '/workspace/trunks/:trunk_name',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'saveTrunk',
        summary: 'Create a trunk, or replace its settings',
        description: `Every process follows within five seconds, without a restart; calls in progress keep their addresses, and the first calls of a new trunk start after ten seconds. Without \`password\` or \`inbound_secret\` the stored one stays, an empty one removes it. A trunk that PROVISION_FILE declares is set back when the file is applied again. ${FOR_OPERATORS}`,
        tags,
        params: TrunkParams,
        body: TrunkSettingsBody,
        response: answers(TrunkSettingsAnswer, 400, 403, 413, 415, 422),
      },
    },
    async ({ params: { trunk_name: name }, body, user, ip }) => {
      const trunk = await saveTrunk(deps, name, toTrunkBody(body));
      await noteAccount(deps, user.userId, 'trunk_saved', { address: ip, objects: { trunk_id: trunk.id } });
      return {
        message: 'Trunk saved successfully',
        trunk: toTrunkSettings(trunk, await probeTrunks(), deps.link.publicUrl),
      };
    },
  );

  app.delete(
    '/workspace/trunks/:trunk_name',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'deleteTrunk',
        summary: 'Delete a trunk',
        description: `Every process un-registers it within five seconds; calls in progress go on. 409 while a number of any workspace is on it. A trunk that PROVISION_FILE declares comes back when the file is applied again. ${FOR_OPERATORS}`,
        tags,
        params: TrunkParams,
        response: answers(TrunkDeleted, 403, 404, 409),
      },
    },
    async ({ params: { trunk_name: name }, user, ip }) => {
      const id = await deleteTrunk(deps.db, name);
      await noteAccount(deps, user.userId, 'trunk_deleted', { address: ip, objects: { trunk_id: id } });
      return { message: 'Trunk deleted successfully' };
    },
  );

  app.post(
    '/workspace/trunks/:trunk_name/check',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'checkTrunk',
        summary: 'Probe a trunk now',
        description: `Sends OPTIONS to each of its addresses, or asks the API of the carrier for the account, and answers at once; GET /workspace/trunks/settings has the result soon after. ${FOR_OPERATORS}`,
        tags,
        params: TrunkParams,
        response: answers(TrunkChecked, 403, 404),
      },
    },
    async ({ params: { trunk_name: name }, user, ip }) => {
      const trunk = await findTrunkSettings(deps.db, name);
      await noteAccount(deps, user.userId, 'trunk_checked', { address: ip, objects: { trunk_id: trunk.id } });
      const isProbed = (await deps.checkTrunk?.(name)) ?? false;
      return {
        message: isProbed ? 'The trunk is being probed' : 'The process that answers does not carry the trunk',
        is_probed: isProbed,
      };
    },
  );

  trunkAccountRoutes(app, deps);
}
