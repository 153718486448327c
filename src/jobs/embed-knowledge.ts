import { type EmbedDeps, embedSources, fillMissingNear } from '../domain/knowledge/embed-sources.ts';
import type { Log } from '../shared/log.ts';
import { Poller } from '../shared/poller.ts';
import { retryFailedVectors } from '../store/knowledge/vectors.ts';

const POLL_MS = 2000;

/**
 * Embeds the chunks of every knowledge base with the configured model: new chunks, chunks embedded by another model,
 * and failed ones again. Several instances may share one database. Chunks without a vector are found by keyword search.
 */
export class KnowledgeEmbedder {
  readonly #deps: EmbedDeps & { readonly log: Log; readonly hasNear: boolean };
  readonly #poller: Poller;
  readonly #stopping = new AbortController();
  #isFirst = true;

  constructor(deps: EmbedDeps & { log: Log; hasNear: boolean; pollMs?: number }) {
    this.#deps = deps;
    this.#poller = new Poller({
      poll: () => this.#poll(),
      pollMs: deps.pollMs ?? POLL_MS,
      onError: (error) => {
        if (!this.#stopping.signal.aborted) deps.log.warn({ err: error }, 'embedding knowledge failed');
      },
    });
  }

  start(): void {
    this.#poller.start();
  }

  /** Polls for chunks to embed now. */
  kick(): void {
    this.#poller.kick();
  }

  /** Aborts the embedding request in flight; its chunks are embedded by a later poll. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#poller.stop();
  }

  async #poll(): Promise<void> {
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
