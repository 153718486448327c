import type { VersionConfig } from '../domain/agents/agent-version.ts';
import { toProviderSettings } from '../domain/providers/provider-settings.ts';
import { resolveProviders } from '../domain/providers/resolve-providers.ts';
import type { Log } from '../shared/log.ts';
import type { Seal } from '../shared/seal.ts';
import type { CallProviders, OperatorProviders } from '../shared/vendor-accounts.ts';
import type { Db } from '../store/database.ts';
import { findProviders } from '../store/tenants/providers.ts';

export type ReadProviders = (workspaceId: string, config: VersionConfig) => Promise<CallProviders>;

/** Reads a call's providers when it starts. A call whose settings cannot be read uses those of the installation. */
export const providerReader =
  (db: Db, log: Log, seal: Seal, operator: OperatorProviders): ReadProviders =>
  async (workspaceId, config) => {
    try {
      const settings = toProviderSettings(await findProviders(db, workspaceId));
      const { stt = null, llm = null } = config.agent_config;
      return resolveProviders(operator, settings, { stt, llm }, ({ sealed }) => seal.open(sealed));
    } catch (error) {
      log.error({ err: error, workspaceId }, 'the providers of a call could not be read');
      return {};
    }
  };
