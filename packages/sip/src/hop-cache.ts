import type { Scheduler } from './ports.ts';
import type { Resolve, TransportChoice } from './resolver.ts';
import type { Peer } from './transport.ts';
import { parseUri } from './uri.ts';

/** An ACK or BYE waits this long for the name service. Milliseconds. */
const WAIT_MS = 300;
/** Lifetime of cached addresses; after it they are used while they are looked up again. */
const FRESH_MS = 60_000;
const MAX_HOPS = 1_024;
/** Look-ups at once: a peer that invents names cannot keep the system's look-ups to itself. */
const MAX_ASKING = 256;

interface Hop {
  readonly peers: readonly Peer[];
  readonly at: number;
}

/** Addresses of the host names in Contact, Record-Route and SDP, so that a slow name service holds up no dialog. */
export class HopCache {
  readonly #resolve: Resolve;
  readonly #scheduler: Scheduler;
  readonly #hops = new Map<string, Hop>();
  readonly #asking = new Map<string, Promise<readonly Peer[]>>();
  constructor(resolve: Resolve, scheduler: Scheduler) {
    this.#resolve = resolve;
    this.#scheduler = scheduler;
  }

  /** Calls `use` with the peers of a URI: at once from the cache, else within `waitMs`; empty when none are known by then. */
  peers(
    uri: string,
    choice: TransportChoice,
    use: (peers: readonly Peer[]) => void,
    waitMs: number = WAIT_MS,
  ): void {
    const key = hopKey(uri, choice);
    const known = this.#hops.get(key);
    if (known === undefined || this.#scheduler.now() - known.at >= FRESH_MS) {
      const asked = this.#ask(key, uri, choice);
      if (known === undefined) return this.#wait(asked, waitMs, use);
    }
    return use(known?.peers ?? []);
  }

  #wait(asked: Promise<readonly Peer[]>, waitMs: number, use: (peers: readonly Peer[]) => void): void {
    let isOver = false;
    const finish = (peers: readonly Peer[]): void => {
      if (isOver) return;
      isOver = true;
      cancel();
      use(peers);
    };
    const cancel = this.#scheduler.after(waitMs, () => finish([]));
    void asked.then(finish);
  }

  /** Never rejects: a failed look-up finds no peers and is not remembered. */
  #ask(key: string, uri: string, choice: TransportChoice): Promise<readonly Peer[]> {
    const asking = this.#asking.get(key);
    if (asking !== undefined) return asking;
    if (this.#asking.size >= MAX_ASKING) return Promise.resolve([]);
    const asked = this.#resolve(uri, choice)
      .catch(() => [])
      .then((peers) => {
        this.#asking.delete(key);
        if (peers.length > 0) this.#store(key, peers);
        return peers;
      });
    this.#asking.set(key, asked);
    return asked;
  }

  #store(key: string, peers: readonly Peer[]): void {
    const [oldest] = this.#hops.keys();
    if (this.#hops.size >= MAX_HOPS && oldest !== undefined) this.#hops.delete(oldest);
    this.#hops.delete(key);
    this.#hops.set(key, { peers, at: this.#scheduler.now() });
  }
}

/** The parts of a URI that lead to its peers: not the user, which differs for each call. */
function hopKey(uri: string, choice: TransportChoice): string {
  const parsed = parseUri(uri);
  if (parsed === null || parsed.scheme === 'tel') return uri;
  const transport = parsed.params.get('transport') ?? '';
  return `${choice} ${parsed.scheme}:${parsed.host}:${parsed.port ?? ''};${transport.toLowerCase()}`;
}
