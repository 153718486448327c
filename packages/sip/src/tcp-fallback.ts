import type { Scheduler } from './ports.ts';
import type { Peer } from './transport.ts';

/** A connection for a large request is made within this time, or the request goes over UDP. */
const CONNECT_MS = 1_000;
/** How long a peer without TCP is not asked again. */
const FORGET_MS = 3_600_000;
const MAX_PEERS = 4_096;

/** Which UDP peers take large requests over TCP (RFC 3261 section 18.1.1). */
export class TcpFallback {
  readonly #now: () => number;
  /** Peers that made no connection, to the time when they are asked again; oldest first. */
  readonly #refused = new Map<string, number>();
  constructor(scheduler: Pick<Scheduler, 'now'>) {
    this.#now = () => scheduler.now();
  }
  /** The same peer over TCP; null when it made no connection within the last hour. */
  of(peer: Peer): Peer | null {
    const isRefused = (this.#refused.get(keyOf(peer)) ?? 0) > this.#now();
    return isRefused ? null : { ...peer, transport: 'tcp', connectMs: CONNECT_MS };
  }
  /** Records that `peer` made no connection. */
  failed(peer: Peer): void {
    const [oldest] = this.#refused.keys();
    if (this.#refused.size >= MAX_PEERS && oldest !== undefined) this.#refused.delete(oldest);
    this.#refused.delete(keyOf(peer));
    this.#refused.set(keyOf(peer), this.#now() + FORGET_MS);
  }
}

const keyOf = ({ address, port }: Peer): string => `${address}|${port}`;
