import type { ProviderSettings } from '../../domain/providers/provider-settings.ts';
import { readProviders, saveProviders } from '../../domain/providers/save-providers.ts';
import { idempotent } from '../idempotent.ts';
import { answers, IdempotencyHeader } from '../schemas/common.ts';
import { Providers, ProvidersBody, SavedProviders } from '../schemas/providers.ts';
import { toProviders } from '../wire/providers.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Server } from '../type-provider.ts';

/** GET and PUT /workspace/providers. */
export function providerRoutes(app: Server, deps: ServerDeps): void {
  const tags = ['Workspace'];
  const { operator } = deps;

  app.get(
    '/workspace/providers',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'getProviders',
        summary: 'The vendors of the workspace, with masked keys',
        tags,
        response: answers(Providers),
      },
    },
    async ({ caller }) => ({
      providers: toProviders(operator, await readProviders(deps, caller.workspaceId)),
    }),
  );

  app.put(
    '/workspace/providers',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'setProviders',
        summary: 'Set the vendors of the workspace',
        description:
          'An absent field keeps its value, and null removes it. Calls that start later use the change. A child workspace has its own vendors or those of the installation, never those of its parent.',
        tags,
        headers: IdempotencyHeader,
        body: ProvidersBody,
        response: answers(SavedProviders, 400, 403, 409, 413, 415, 422),
      },
    },
    (request, reply) =>
      idempotent(deps, request, reply, async (store) => {
        const toAnswer = (settings: ProviderSettings) => ({
          message: 'Providers updated successfully',
          providers: toProviders(operator, settings),
        });
        const { workspaceId } = request.caller;
        const saved = await saveProviders(
          deps,
          workspaceId,
          request.changeEntry,
          request.body,
          (tx, settings) => store(tx, toAnswer(settings)),
        );
        return toAnswer(saved);
      }),
  );
}
