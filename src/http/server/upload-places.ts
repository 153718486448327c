import type { FastifyRequest } from 'fastify';
import { errors } from '../../errors.ts';
import { Shares, type SharesOptions } from '../../shared/shares/shares.ts';

const RETRY_AFTER_SECONDS = 5;

/**
 * The concurrent uploads of the routes that share these places; a further one answers 429. When all places are taken, an
 * upload that has lasted for `heldMs` loses its place, and its connection, to a workspace without one.
 */
export class UploadPlaces {
  readonly #shares: Shares;

  constructor(options: Pick<SharesOptions, 'places' | 'parts'> & { readonly heldMs: number }) {
    const { places, parts, heldMs } = options;
    this.#shares = new Shares({ places, parts, evicts: { heldMs } });
  }

  async within<T>({ caller, raw }: FastifyRequest, work: () => Promise<T>): Promise<T> {
    const release = this.#shares.tryTake(caller.workspaceId, () => {
      // A request that has arrived in full ends by itself.
      if (!raw.complete) raw.destroy();
    });
    if (release === null) {
      const { places, parts } = this.#shares;
      const own = Math.ceil(places / parts);
      throw errors.rateLimited(RETRY_AFTER_SECONDS, 'uploads', `${own} of a workspace and ${places} of all`);
    }
    try {
      return await work();
    } finally {
      release();
    }
  }
}
