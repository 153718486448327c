import type { ProviderSettings } from '../../store/json/provider-settings.ts';
import { toProvidersInput } from '../../wire/provider-schema.ts';
import {
  readDeclaredProviders,
  readProviders,
  saveProviders,
} from '../../domain/providers/save-providers.ts';
import { readAgentLanguages } from '../../domain/agents/read-agents.ts';
import { testVendor } from '../../domain/providers/test-vendor.ts';
import { readVendorHealth } from '../../domain/providers/vendor-health.ts';
import { vendorOffers } from '../../domain/providers/vendor-offers.ts';
import { idempotent } from '../server/idempotent.ts';
import { answers, IdempotencyHeader } from '../common/schemas.ts';
import { ProvidersBody, ReadProviders, SavedProviders, TestedVendor, TestVendorBody } from './schemas.ts';
import { toOffers, toProviders, toVendorTroubles } from './wire.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';

type ProvidersRouteDeps = Pick<
  ServerDeps,
  'db' | 'clock' | 'operator' | 'guard' | 'tryVendor' | 'seal' | 'prices'
>;

/** GET and PUT /workspace/providers, POST /workspace/providers/test. */
export function providerRoutes(app: Server, deps: ProvidersRouteDeps): void {
  const tags = ['Workspace'];
  const { operator, prices } = deps;

  app.get(
    '/workspace/providers',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'getProviders',
        summary: 'The vendors of the workspace, with masked keys',
        description:
          'Who recognises, thinks and speaks, in which order, which accounts the service itself has, and the languages and prices of every vendor.',
        tags,
        response: answers(ReadProviders),
      },
    },
    async ({ caller: { workspaceId } }) => {
      const [settings, faults, declared, languages] = await Promise.all([
        readProviders(deps, workspaceId),
        readVendorHealth(deps, workspaceId),
        readDeclaredProviders(deps, workspaceId),
        readAgentLanguages(deps, workspaceId),
      ]);
      return {
        providers: toProviders(operator, settings),
        faults: toVendorTroubles(faults),
        from_file: [...declared],
        offers: toOffers(vendorOffers(operator, settings, prices)),
        currency: prices.currency,
        agent_languages: languages,
      };
    },
  );

  app.post(
    '/workspace/providers/test',
    {
      config: { rateClass: 'probe' },
      schema: {
        operationId: 'testVendor',
        summary: 'Try a vendor with the account that calls use',
        description:
          'Uses the vendor as a call does, with the checks of callwright doctor; the vendor may charge for it. A recogniser gets a spoken sentence and must write words. At most 20 tests a minute.',
        tags,
        body: TestVendorBody,
        response: answers(TestedVendor, 400, 413, 415, 422),
      },
    },
    async ({ caller, body }) => {
      const { kind, vendor } = body;
      const result = await testVendor(deps, caller.workspaceId, { kind, vendor });
      return {
        kind,
        vendor,
        ok: result.ok,
        duration_ms: result.ok ? result.ms : null,
        heard: result.ok ? result.heard : null,
        fault: result.ok ? null : { kind: result.fault.kind, message: result.fault.message },
      };
    },
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
          toProvidersInput(request.body),
          (tx, settings) => store(tx, toAnswer(settings)),
        );
        return toAnswer(saved);
      }),
  );
}
