import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { Entrance, type EntranceName } from '../../shared/ingress/entrance.ts';
import type { HeldCounts } from '../../shared/limits/held-counts.ts';
import { Shares, type SharesOptions } from '../../shared/shares/shares.ts';

/**
 * Streams that begin. After a restart every dashboard of a workspace comes back at once, and each of its streams costs a
 * look-up; clients that reconnect in a loop are slowed down to one stream in 50 ms.
 */
const BEGINNING = { workspace: { messages: { burst: 1_000, perSecond: 20 } } };

/** A stream that another workspace needs has lasted at least so long, so that clients cannot evict each other in a loop. */
const HELD_MS = 1_000;

/**
 * The open event streams of this process, shared between workspaces; a further one answers 429. When all places are
 * taken, a workspace without one gets the place of the oldest stream of the workspace with most: that stream ends, and its
 * client comes back. All processes share the limit of a workspace: they add up its streams once a second.
 */
export class StreamPlaces {
  readonly #shares: Shares;
  readonly #entrance: Entrance;
  readonly #held: HeldCounts;
  /** The limit of one workspace in all processes together. */
  readonly #most: number;

  constructor(
    options: Pick<SharesOptions, 'places' | 'parts'>,
    deps: {
      readonly clock: Pick<Clock, 'monotonic'>;
      readonly onRefused?: ((entrance: EntranceName) => void) | undefined;
    },
    held: HeldCounts,
  ) {
    this.#held = held;
    this.#most = options.places / options.parts;
    this.#shares = new Shares({ ...options, evicts: { heldMs: HELD_MS } });
    this.#entrance = new Entrance('stream', BEGINNING, deps);
  }

  async within<T>(
    workspaceId: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (this.#entrance.admit({ workspace: workspaceId }) > 0) throw errors.tooManyStreams();
    if (this.#held.count(workspaceId) >= this.#most) throw errors.tooManyStreams();
    const evicted = new AbortController();
    const release = this.#shares.tryTake(workspaceId, () => evicted.abort());
    if (release === null) throw errors.tooManyStreams();
    this.#held.add(workspaceId);
    try {
      return await work(AbortSignal.any([signal, evicted.signal]));
    } finally {
      release();
      this.#held.remove(workspaceId);
    }
  }
}
