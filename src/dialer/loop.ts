import { Client } from 'pg';
import type { Log } from '../shared/log.ts';
import { LookingLoop } from '../shared/looking-loop.ts';
import { QUEUE_CHANNEL } from '../store/queue.ts';
import { claimTurn, type ClaimDeps, type Claimed } from './claim.ts';
import { TrunkCounts } from './trunk-counts.ts';

export interface DialerOptions extends Omit<ClaimDeps, 'nodeId' | 'trunkCounts'> {
  readonly log: Log;
  /** Asked at every turn: a node that was fenced goes on under a new id. */
  readonly nodeId: () => string;
  /** Calls this process can take on top of those it has. */
  readonly capacity: () => number;
  /** Dials a claimed call. Owns it from here on: it ends in a settlement or a release. Must not throw. */
  readonly place: (claimed: Claimed) => void;
  /** Connection for LISTEN; null: only `kick` and polling wake the loop. */
  readonly listenUrl: string | null;
  readonly pollMs?: number;
  /** Another process has something for this one, whatever it is. */
  readonly onNotified?: () => void;
}

/** The most turns of one wake-up, so that a huge queue still lets the process breathe. */
const TURNS = 256;

/**
 * Pulls due calls in turns, one tenant at a time, while there is capacity. Polls each second; a notification or a
 * kick only makes it look earlier.
 */
export class DialerLoop {
  readonly #options: DialerOptions;
  readonly #loop: LookingLoop;
  readonly #trunkCounts = new TrunkCounts();
  #listener: Client | null = null;

  constructor(options: DialerOptions) {
    this.#options = options;
    this.#loop = new LookingLoop({
      look: () => this.#turns(),
      pollMs: options.pollMs ?? 1000,
      onError: (error) => options.log.error({ err: error }, 'queue could not be read'),
    });
  }

  start(): void {
    this.#loop.start();
    if (this.#options.listenUrl !== null) void this.#listen(this.#options.listenUrl);
  }

  /** Look at the queue now. */
  kick(): void {
    this.#loop.kick();
  }

  /** Claims nothing more; resolves when the last claim has been handed over. */
  async drain(): Promise<void> {
    const listener = this.#listener;
    this.#listener = null;
    await this.#loop.stop();
    await listener?.end().catch(() => undefined);
  }

  /** Gives tenants turns until nobody has anything left that may start. Returns ms until a pace frees a call. */
  async #turns(): Promise<number> {
    const { capacity, place } = this.#options;
    let visited: string[] = [];
    let progress = false;
    let wait = Number.POSITIVE_INFINITY;
    for (let turns = 0; turns < TURNS && this.#loop.isStarted; turns += 1) {
      const free = capacity();
      if (free <= 0) break;
      const turn = await claimTurn(
        { ...this.#options, nodeId: this.#options.nodeId(), trunkCounts: this.#trunkCounts },
        { visited, capacity: free },
      );
      if (turn === null) {
        // The round is over; another one pays only when this one moved something.
        if (!progress) break;
        visited = [];
        progress = false;
        wait = Number.POSITIVE_INFINITY;
        continue;
      }
      visited.push(turn.workspaceId);
      if (turn.claimed.length + turn.passedOver > 0) progress = true;
      wait = Math.min(wait, turn.waitMs);
      for (const claimed of turn.claimed) place(claimed);
      if (turns === TURNS - 1) return 0;
    }
    return wait;
  }

  /** Keeps a LISTEN connection; without it the poll alone carries on. */
  async #listen(url: string): Promise<void> {
    if (!this.#loop.isStarted) return;
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000, keepAlive: true });
    const again = (): void => {
      if (this.#listener === client) this.#listener = null;
      if (this.#loop.isStarted) setTimeout(() => void this.#listen(url), 2000).unref();
    };
    client.once('end', again);
    client.on('error', (error) => {
      this.#options.log.warn({ err: error }, 'notification connection lost');
    });
    client.on('notification', () => {
      this.kick();
      this.#options.onNotified?.();
    });
    try {
      await client.connect();
      await client.query(`listen ${QUEUE_CHANNEL}`);
      if (this.#loop.isStarted) this.#listener = client;
      else await client.end();
    } catch (error) {
      this.#options.log.warn({ err: error }, 'notification connection refused');
      await client.end().catch(() => undefined);
    }
  }
}
