import { readTrunks } from '../../domain/trunks/read-trunks.ts';
import { checkOperator, readSystem } from '../../domain/workspaces/system-state.ts';
import { VERSION } from '../../shared/version.ts';
import { answers } from '../common/schemas.ts';
import { ConfigurationAnswer, SystemAnswer } from './schemas.ts';
import { TrunkList } from '../trunks/schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';
import { toConfiguration, toSystem } from './wire.ts';
import { toTrunk } from '../trunks/wire.ts';
import { readyWithin } from './readiness.ts';

type SystemInstallationRouteDeps = Pick<
  ServerDeps,
  'db' | 'clock' | 'ready' | 'probeTrunks' | 'settings' | 'freeBytes' | 'metricsAt'
>;

const tags = ['Workspace'];

/** GET /workspace/trunks, /workspace/system and /workspace/configuration: the installation as one workspace may see it. */
export function installationRoutes(app: Server, deps: SystemInstallationRouteDeps): void {
  const probeTrunks = deps.probeTrunks ?? (() => Promise.resolve([]));
  const freeBytes = deps.freeBytes ?? (() => Promise.resolve(null));

  app.get(
    '/workspace/trunks',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'listTrunks',
        summary: 'The trunks of the workspace’s numbers, with their health',
        description: 'With the last attempts over each.',
        tags,
        response: answers(TrunkList),
      },
    },
    async ({ caller }) => ({
      trunks: (await readTrunks({ ...deps, probeTrunks }, caller.workspaceId)).map(toTrunk),
    }),
  );

  app.get(
    '/workspace/system',
    {
      config: { rateClass: 'read', role: 'owner' },
      schema: {
        operationId: 'getSystem',
        summary: 'The state of the installation: processes, checks, disk, versions, backlog',
        description: 'Counts of calls, deliveries and jobs are those of the workspace.',
        tags,
        response: answers(SystemAnswer, 403),
      },
    },
    async ({ caller }) => {
      const [state, checks, free] = await Promise.all([
        readSystem(deps, caller.workspaceId),
        readyWithin(deps.ready()),
        freeBytes().catch(() => null),
      ]);
      return toSystem(state, {
        checks,
        freeBytes: free,
        version: VERSION,
        metricsAt: deps.metricsAt ?? null,
      });
    },
  );

  app.get(
    '/workspace/configuration',
    {
      config: { rateClass: 'read', role: 'owner' },
      schema: {
        operationId: 'getConfiguration',
        summary: 'The settings in force, without secrets',
        description: 'For workspaces without a parent; a child workspace gets 403.',
        tags,
        response: answers(ConfigurationAnswer, 403),
      },
    },
    async ({ caller }) => {
      await checkOperator(deps, caller.workspaceId);
      return toConfiguration(deps.settings ?? []);
    },
  );
}
