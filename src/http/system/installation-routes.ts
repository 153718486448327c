import { readCapWarnings } from '../../domain/trunks/cap-warnings.ts';
import { srtpWarnings } from '../../domain/trunks/srtp-warnings.ts';
import { readTrunks } from '../../domain/trunks/read-trunks.ts';
import { readSystem } from '../../domain/workspaces/system-state.ts';
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

/** GET /workspace/trunks, as one workspace may see them; /workspace/system and /workspace/configuration, for operators. */
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
      ...(await trunkList({ ...deps, probeTrunks }, caller.workspaceId)),
    }),
  );

  app.get(
    '/workspace/system',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'getSystem',
        summary: 'The state of the installation: processes, checks, disk, versions, backlog',
        description: 'For operators of the installation, without X-Workspace-Id: no workspace sees it.',
        tags,
        response: answers(SystemAnswer, 403),
      },
    },
    async () => {
      const [state, checks, free] = await Promise.all([
        readSystem(deps),
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
      config: { rateClass: 'read' },
      schema: {
        operationId: 'getConfiguration',
        summary: 'The settings in force, without secrets',
        description: 'For operators of the installation, without X-Workspace-Id: no workspace sees them.',
        tags,
        response: answers(ConfigurationAnswer, 403),
      },
    },
    () => Promise.resolve(toConfiguration(deps.settings ?? [])),
  );
}

async function trunkList(deps: Parameters<typeof readTrunks>[0], workspaceId: string) {
  const trunks = await readTrunks(deps, workspaceId);
  const caps = await readCapWarnings(deps, workspaceId, trunks);
  const warnings = [...caps, ...srtpWarnings(trunks)];
  return { trunks: trunks.map(toTrunk), warnings };
}
