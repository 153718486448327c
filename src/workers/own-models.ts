import { SafeFetcher } from '../net/safe-fetch.ts';
import type { ChainedModel } from '../providers/llm/chained.ts';
import type { openModel } from '../providers/choose/models.ts';
import { VendorHealth } from '../providers/wire/health.ts';
import type { LlmProvider } from '../providers/ports/model.ts';
import { accountId } from '../providers/choose/pool.ts';
import { healthByAccount } from '../providers/choose/open-models.ts';
import type { OwnModel } from './protocol.ts';

interface Adapters {
  readonly openModel: typeof openModel;
  readonly ChainedModel: typeof ChainedModel;
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
    const [{ openModel }, { ChainedModel: Chain }, { createScriptLlm }] = await Promise.all([
      import('../providers/choose/models.ts'),
      import('../providers/llm/chained.ts'),
      import('../offline/script/brain.ts'),
      this.#fetcher.load(),
    ]);
    this.#adapters ??= { openModel, ChainedModel: Chain, script: createScriptLlm() };
  }

  get isLoaded(): boolean {
    return this.#adapters !== null;
  }

  /** Call `load` first. */
  of({ baseUrl, apiKey: key, model }: OwnModel): LlmProvider {
    if (this.#adapters === null) throw new Error('the model adapter is not loaded');
    const { openModel, ChainedModel: Chain, script } = this.#adapters;
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
