import { embedSources, type EmbedDeps } from '../domain/knowledge/embed-sources.ts';
import { fillMissingNear } from '../domain/knowledge/fill-near.ts';
import type { Log } from '../shared/log.ts';
import { LookingLoop } from '../shared/looking-loop.ts';
import { retryFailedVectors } from '../store/knowledge-vectors.ts';

const POLL_MS = 2000;

/**
 * Has the chunks of every knowledge base embedded by the model that is set now: new ones, those of another model, and
 * again what failed. Several may work on one database. Until it is done, and where it fails, words find them.
 */
export class KnowledgeEmbedder {
  readonly #deps: EmbedDeps & { readonly log: Log; readonly hasNear: boolean };
  readonly #loop: LookingLoop;
  readonly #stopping = new AbortController();
  #isFirst = true;

  constructor(deps: EmbedDeps & { log: Log; hasNear: boolean; pollMs?: number }) {
    this.#deps = deps;
    this.#loop = new LookingLoop({
      look: () => this.#look(),
      pollMs: deps.pollMs ?? POLL_MS,
      onError: (error) => {
        if (!this.#stopping.signal.aborted) deps.log.warn({ err: error }, 'knowledge was not embedded');
      },
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** There may be something to embed. */
  kick(): void {
    this.#loop.kick();
  }

  /** Ends the request under way; what it was for is taken again later. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop.stop();
  }

  async #look(): Promise<void> {
    const { db, embedder, hasNear } = this.#deps;
    const { signal } = this.#stopping;
    if (this.#isFirst) await retryFailedVectors(db, embedder.name);
    this.#isFirst = false;
    try {
      while (!signal.aborted && (await embedSources(this.#deps, signal)) > 0);
    } finally {
      if (hasNear && !signal.aborted) await fillMissingNear(db, embedder.name, signal);
    }
  }
}
