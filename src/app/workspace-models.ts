import type { Config } from '../config.ts';
import type { StructuredModel } from '../domain/analysis/model-analyst.ts';
import { toProviderSettings } from '../domain/providers/provider-settings.ts';
import { resolveProviders } from '../domain/providers/resolve-providers.ts';
import { modelWithFetch } from '../providers/choose/parts.ts';
import { openReach, type VendorReach } from '../providers/wire/reach.ts';
import type { Seal } from '../shared/seal.ts';
import type { Db } from '../store/database.ts';
import { findProviders } from '../store/tenants/providers.ts';
import type { LanguageModelAccount } from '../vendors/accounts.ts';

/** The models of `chosen`, else of the installation, in order; null: there is none. `timeoutMs` limits one answer. */
export async function structuredModel(
  chosen: readonly LanguageModelAccount[] | undefined,
  installation: Config['llm'],
  reach: VendorReach,
  timeoutMs?: number,
): Promise<StructuredModel | null> {
  const [first, ...others] = chosen?.map((account) => modelWithFetch(account, reach)) ?? installation;
  if (first === undefined) return null;
  const { structuredModels } = await import('../providers/choose/structured-answer.ts');
  return structuredModels([first, ...others], timeoutMs);
}

/** The language models of workspaces, for what no version of an agent decides. */
export class WorkspaceModels {
  readonly #deps: {
    readonly db: Db;
    readonly seal: Seal;
    readonly config: Pick<Config, 'providers' | 'llm' | 'safeFetchAllow'>;
  };
  readonly #reach: VendorReach;

  constructor(deps: {
    readonly db: Db;
    readonly seal: Seal;
    readonly config: Pick<Config, 'providers' | 'llm' | 'safeFetchAllow'>;
  }) {
    this.#deps = deps;
    this.#reach = openReach({ allow: deps.config.safeFetchAllow });
  }

  /** Null: the workspace has none, or keeps models out. */
  async of(workspaceId: string): Promise<StructuredModel | null> {
    const { db, seal, config } = this.#deps;
    const settings = toProviderSettings(await findProviders(db, workspaceId));
    const { llm } = resolveProviders(config.providers, settings, {}, ({ sealed }) => seal.open(sealed));
    return structuredModel(llm, config.llm, this.#reach);
  }

  close(): Promise<void> {
    return this.#reach.close();
  }
}
