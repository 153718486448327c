import { SafeFetcher } from '../net/safe-fetch.ts';
import type { ModelChain } from '../providers/llm/chain.ts';
import type { openModel } from '../providers/llm/models.ts';
import { VendorHealth } from '../providers/vendor/health.ts';
import type { LlmProvider } from '../voice/ports.ts';
import { accountId } from './account-pool.ts';
import { healthByAccount } from './chosen-models.ts';
import type { OwnModel } from './protocol.ts';

interface Adapters {
  readonly openModel: typeof openModel;
  readonly ModelChain: typeof ModelChain;
  readonly script: LlmProvider;
}

/** Agents' own models, reached through the safe fetcher because users choose their addresses. Loaded on first use. */
export class OwnModels {
  readonly #fetcher: SafeFetcher;
  readonly #health = new VendorHealth(undefined, undefined, { part: 'own' });
  #adapters: Adapters | null = null;

  constructor(allow: readonly string[]) {
    this.#fetcher = new SafeFetcher({ allow, connectionsPerOrigin: 64 });
  }

  /** Loads the adapter and the HTTP client. */
  async load(): Promise<void> {
    const [{ openModel }, { ModelChain: Chain }, { createScriptLlm }] = await Promise.all([
      import('../providers/llm/models.ts'),
      import('../providers/llm/chain.ts'),
      import('../providers/llm/script/brain.ts'),
      this.#fetcher.load(),
    ]);
    this.#adapters ??= { openModel, ModelChain: Chain, script: createScriptLlm() };
  }

  get isLoaded(): boolean {
    return this.#adapters !== null;
  }

  /** Call `load` first. */
  of({ baseUrl, apiKey: key, model }: OwnModel): LlmProvider {
    if (this.#adapters === null) throw new Error('the model adapter is not loaded');
    const { openModel, ModelChain: Chain, script } = this.#adapters;
    const own = openModel({
      vendor: 'openai-compatible',
      key,
      baseUrl,
      isWholeUrl: true,
      model,
      fetch: this.#fetcher.stream,
    });
    const server = accountId(['own', baseUrl, key, model]);
    return new Chain([own, script], { health: healthByAccount(this.#health, new Map([[own.name, server]])) });
  }

  async close(): Promise<void> {
    await this.#fetcher.close();
  }
}
