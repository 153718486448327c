import { importNumbers, readAccountNumbers, setWebhook } from '../../domain/trunks/carrier-accounts.ts';
import { noteAccount } from '../../domain/users/account-log.ts';
import { errors } from '../../errors.ts';
import { answers } from '../common/schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';
import {
  ImportNumbersBody,
  NumbersImported,
  TrunkNumbers,
  TrunkParams,
  WebhookSet,
} from './settings-schemas.ts';
import { voiceWebhook } from './settings-wire.ts';

export type TrunkAccountDeps = Pick<ServerDeps, 'db' | 'clock' | 'link' | 'carrierAccounts'>;

const tags = ['Workspace'];
const ASKS = `Asks the API of the trunk's carrier: 409 where the carrier has no such request, 422 with the setting of the trunk that the carrier refuses. For operators of the installation, without X-Workspace-Id.`;

/** GET and POST /workspace/trunks/{trunk_name}/numbers and POST of its webhook, for operators. */
export function trunkAccountRoutes(app: Server, deps: TrunkAccountDeps): void {
  const asking = () => {
    const { db, clock, carrierAccounts: accounts } = deps;
    if (accounts === undefined) throw errors.carrierHasNoRequest('sip');
    return { db, clock, accounts };
  };

  app.get(
    '/workspace/trunks/:trunk_name/numbers',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'listTrunkNumbers',
        summary: "The numbers of a trunk's account at its carrier",
        description: ASKS,
        tags,
        params: TrunkParams,
        response: answers(TrunkNumbers, 403, 404, 409, 422),
      },
    },
    async ({ params: { trunk_name: name } }) => ({
      numbers: (await readAccountNumbers(asking(), name)).map(({ number, workspaceId }) => ({
        number,
        workspace_id: workspaceId,
      })),
    }),
  );

  app.post(
    '/workspace/trunks/:trunk_name/numbers',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'importTrunkNumbers',
        summary: "Give numbers of a trunk's account to a workspace",
        description: `The workspace can attach agents to them and call with them at once. A number that PROVISION_FILE declares stays as it declares. ${ASKS}`,
        tags,
        params: TrunkParams,
        body: ImportNumbersBody,
        response: answers(NumbersImported, 400, 403, 404, 409, 413, 415, 422),
      },
    },
    async ({ params: { trunk_name: name }, body: { workspace_id: workspaceId, numbers }, user, ip }) => {
      const { trunkId, imported, known } = await importNumbers(asking(), name, { workspaceId, numbers });
      const objects = { trunk_id: trunkId, workspace_id: workspaceId };
      await noteAccount(deps, user.userId, 'trunk_numbers_imported', { address: ip, objects });
      return { message: `Numbers imported: ${imported.length}`, imported: [...imported], known: [...known] };
    },
  );

  app.post(
    '/workspace/trunks/:trunk_name/webhook',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'setTrunkWebhook',
        summary: "Lead the calls of a trunk's numbers to this service",
        description: `Sets \`webhook_url\` of the trunk at the carrier: of each number, or of the application that the numbers get. ${ASKS}`,
        tags,
        params: TrunkParams,
        response: answers(WebhookSet, 403, 404, 409, 422),
      },
    },
    async ({ params: { trunk_name: name }, user, ip }) => {
      const urlOf = (trunkId: string): string => voiceWebhook(deps.link.publicUrl, trunkId);
      const { trunkId, numbers } = await setWebhook(asking(), name, urlOf);
      await noteAccount(deps, user.userId, 'trunk_webhook_set', {
        address: ip,
        objects: { trunk_id: trunkId },
      });
      return {
        message: `Webhook set; numbers: ${numbers.length}`,
        webhook_url: urlOf(trunkId),
        numbers: [...numbers],
      };
    },
  );
}
