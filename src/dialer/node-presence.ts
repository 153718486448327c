import { newId } from '../shared/ids.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { Db } from '../store/database.ts';
import { beat, leaveNode, markDraining, registerNode } from '../store/nodes.ts';
import { STALE_MS } from './reaper-watch.ts';

const BEAT_MS = 1_000;

export interface PresenceOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** Stable over restarts of this process, unique among processes: host and data folder. */
  readonly name: string;
  readonly roles: string;
  /** Others took this process for dead and settled its calls: end what is live and `start` again. */
  readonly onFenced: () => void;
}

/** This process among the nodes: registers, beats every second, leaves. */
export class NodePresence {
  readonly #options: PresenceOptions;
  #nodeId: string = newId();
  /** On the monotonic clock: nobody can have seen the last beat earlier. */
  #beatAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;
  #beating: Promise<void> | null = null;

  constructor(options: PresenceOptions) {
    this.#options = options;
  }

  get nodeId(): string {
    return this.#nodeId;
  }

  /** Whether what this process holds is surely its own: others wait longer than this since its last beat. */
  get holdsLease(): boolean {
    return this.#options.clock.monotonic() - this.#beatAt < STALE_MS;
  }

  /** Registers under a new id; predecessors of the same name are fenced by it. */
  async start(): Promise<void> {
    const { db, clock, name, roles } = this.#options;
    this.#nodeId = newId();
    this.#beatAt = clock.monotonic();
    await registerNode(db, { id: this.#nodeId, name, roles }, new Date(clock.now()));
    this.#timer = setInterval(() => {
      this.#beating ??= this.#beat().finally(() => {
        this.#beating = null;
      });
    }, BEAT_MS);
  }

  /** No new calls are claimed for this node from now on; it keeps beating. */
  async drain(): Promise<void> {
    await markDraining(this.#options.db, this.#nodeId);
  }

  /** Stops beating and leaves. A node that still has live calls stays on record, for the reaper. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    await this.#beating;
    await leaveNode(this.#options.db, this.#nodeId);
  }

  async #beat(): Promise<void> {
    const { db, clock, log } = this.#options;
    const at = clock.monotonic();
    try {
      if (await beat(db, this.#nodeId, new Date(clock.now()))) {
        this.#beatAt = at;
        return;
      }
      if (this.#timer === null) return;
      clearInterval(this.#timer);
      this.#timer = null;
      log.error({ nodeId: this.#nodeId }, 'this node was taken for dead');
      this.#options.onFenced();
    } catch (error) {
      log.warn({ err: error }, 'heart beat not written');
    }
  }
}
