import { SafeFetcher } from '../jobs/safe-fetch.ts';
import type { createOpenAiCompatibleLlm } from '../providers/llm/openai-compatible.ts';
import type { LlmProvider } from '../voice/ports.ts';
import type { OwnModel } from './protocol.ts';

type Create = typeof createOpenAiCompatibleLlm;

/** Models of agents' owners, reached under the rules for what users name. Loaded when the first call needs them. */
export class OwnModels {
  readonly #allow: readonly string[];
  #create: Create | null = null;
  #fetcher: SafeFetcher | null = null;

  constructor(allow: readonly string[]) {
    this.#allow = allow;
  }

  /** Loads what `of` needs. */
  async load(): Promise<void> {
    const adapter = await import('../providers/llm/openai-compatible.ts');
    this.#create = adapter.createOpenAiCompatibleLlm;
  }

  get isLoaded(): boolean {
    return this.#create !== null;
  }

  /** The brain of one call. `load` has been awaited. */
  of(model: OwnModel): LlmProvider {
    if (this.#create === null) throw new Error('the model adapter is not loaded');
    this.#fetcher ??= new SafeFetcher({ allow: this.#allow, connectionsPerOrigin: 64 });
    return this.#create({ ...model, fetch: this.#fetcher.stream });
  }

  async close(): Promise<void> {
    await this.#fetcher?.close();
  }
}
