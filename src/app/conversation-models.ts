import type { VersionConfig } from '../store/json/agent-version.ts';
import type { StoredSecret } from '../store/json/tools.ts';
import type { Config } from '../config.ts';
import type { StructuredModel } from '../domain/analysis/model-analyst.ts';
import { SafeFetcher } from '../net/safe-fetch.ts';
import type { StructuredAccount } from '../providers/choose/structured-answer.ts';
import { openReach, type VendorReach } from '../providers/wire/reach.ts';
import type { ReadProviders } from './provider-reader.ts';

export interface ConversationModelsDeps {
  /** The installation's models, in order. */
  readonly installation: Config['llm'];
  readonly providers: ReadProviders;
  openSecret(secret: StoredSecret): string | null;
  /** SAFE_FETCH_ALLOW. */
  readonly allow: readonly string[];
  /** Limit of one answer. */
  readonly timeoutMs?: number;
}

/** The models that judge a finished conversation: those that its agent used. */
export class ConversationModels {
  readonly #deps: ConversationModelsDeps;
  readonly #reach: VendorReach;
  readonly #fetcher: SafeFetcher;

  constructor(deps: ConversationModelsDeps) {
    this.#deps = deps;
    this.#reach = openReach({ allow: deps.allow });
    this.#fetcher = new SafeFetcher({ allow: deps.allow });
  }

  /**
   * The agent's own model; else the models that its version or its workspace chose; else those of the installation.
   * Null: none is configured, or the workspace keeps models out.
   */
  async of(workspaceId: string, config: VersionConfig): Promise<StructuredModel | null> {
    const [first, ...others] = this.#own(config) ?? (await this.#chosen(workspaceId, config));
    if (first === undefined) return null;
    const { structuredModels } = await import('../providers/choose/structured-answer.ts');
    return structuredModels([first, ...others], this.#deps.timeoutMs);
  }

  async close(): Promise<void> {
    await Promise.all([this.#reach.close(), this.#fetcher.close()]);
  }

  #own({ agent_config: agent }: Partial<VersionConfig>): readonly StructuredAccount[] | null {
    const llm = agent?.llm ?? null;
    if (llm === null || llm.provider === 'default') return null;
    const { base_url: baseUrl, model, api_key: key } = llm;
    if (baseUrl === null || model === null) return null;
    return [
      {
        vendor: 'openai-compatible',
        key: key === null ? null : this.#deps.openSecret(key),
        baseUrl,
        isWholeUrl: true,
        model,
        fetch: this.#fetcher.stream,
      },
    ];
  }

  async #chosen(workspaceId: string, config: VersionConfig): Promise<readonly StructuredAccount[]> {
    const { llm } = await this.#deps.providers(workspaceId, config);
    if (llm === undefined) return this.#deps.installation;
    return llm.map(({ isGuarded, ...account }) =>
      isGuarded ? { ...account, fetch: this.#reach.fetch } : account,
    );
  }
}
