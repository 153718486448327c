import { SafeFetcher } from '../net/safe-fetch.ts';
import type { openModel } from '../providers/llm/models.ts';
import type { LlmProvider } from '../voice/ports.ts';
import type { OwnModel } from './protocol.ts';

type Open = typeof openModel;

/** Agents' own models, reached through the safe fetcher because users choose their addresses. Loaded on first use. */
export class OwnModels {
  readonly #fetcher: SafeFetcher;
  #open: Open | null = null;

  constructor(allow: readonly string[]) {
    this.#fetcher = new SafeFetcher({ allow, connectionsPerOrigin: 64 });
  }

  /** Loads the adapter and the HTTP client. */
  async load(): Promise<void> {
    const [adapter] = await Promise.all([import('../providers/llm/models.ts'), this.#fetcher.load()]);
    this.#open = adapter.openModel;
  }

  get isLoaded(): boolean {
    return this.#open !== null;
  }

  /** Call `load` first. */
  of({ baseUrl, apiKey: key, model }: OwnModel): LlmProvider {
    if (this.#open === null) throw new Error('the model adapter is not loaded');
    return this.#open({
      vendor: 'openai-compatible',
      key,
      baseUrl,
      isWholeUrl: true,
      model,
      fetch: this.#fetcher.stream,
    });
  }

  async close(): Promise<void> {
    await this.#fetcher.close();
  }
}
