import { errors } from '../../errors.ts';
import { Shares, type SharesOptions } from '../../shared/shares/shares.ts';

/** A stream that another workspace needs has lasted at least so long, so that clients cannot evict each other in a loop. */
const HELD_MS = 1_000;

/**
 * The open event streams of this process, shared between workspaces; a further one answers 429. When all places are
 * taken, a workspace without one gets the place of the oldest stream of the workspace with most: that stream ends, and its
 * client comes back.
 */
export class StreamPlaces {
  readonly #shares: Shares;

  constructor(options: Pick<SharesOptions, 'places' | 'parts'>) {
    this.#shares = new Shares({ ...options, evicts: { heldMs: HELD_MS } });
  }

  async within<T>(
    workspaceId: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const evicted = new AbortController();
    const release = this.#shares.tryTake(workspaceId, () => evicted.abort());
    if (release === null) throw errors.tooManyStreams();
    try {
      return await work(AbortSignal.any([signal, evicted.signal]));
    } finally {
      release();
    }
  }
}
