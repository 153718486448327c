import { SafeFetcher } from '../jobs/safe-fetch.ts';
import type { LlmProvider } from '../voice/ports.ts';
import type { OwnModel } from './protocol.ts';

type Module = typeof import('../providers/llm/openai-compatible.ts');

/** Models of agents' owners, reached under the rules for what users name. Loaded when the first call needs them. */
export class OwnModels {
  readonly #allow: readonly string[];
  #loading: Promise<Module> | null = null;
  #module: Module | null = null;
  #fetcher: SafeFetcher | null = null;

  constructor(allow: readonly string[]) {
    this.#allow = allow;
  }

  /** Loads what `of` needs. */
  async load(): Promise<void> {
    this.#loading ??= import('../providers/llm/openai-compatible.ts');
    this.#module = await this.#loading;
  }

  get isLoaded(): boolean {
    return this.#module !== null;
  }

  /** The brain of one call. `load` has been awaited. */
  of(model: OwnModel): LlmProvider {
    if (this.#module === null) throw new Error('the model adapter is not loaded');
    this.#fetcher ??= new SafeFetcher({ allow: this.#allow, connectionsPerOrigin: 64 });
    return this.#module.createOpenAiCompatibleLlm({ ...model, fetch: this.#fetcher.stream });
  }

  async close(): Promise<void> {
    await this.#fetcher?.close();
  }
}
