import { afterAligned } from '../shared/aligned.ts';
import { newId } from '../shared/ids.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { NodeFigures } from '../shared/node-figures.ts';
import type { Db } from '../store/database.ts';
import { leaveNode, markDraining, registerNode, type IdleLook } from '../store/nodes.ts';

/** A node's lease on its calls, from its last heartbeat: other nodes fence it once it has been silent this long. */
export const LEASE_MS = 15_000;
const BEAT_MS = 1_000;
/** Between two heartbeats of a node without calls. */
const IDLE_BEAT_MS = 3_000;
/** Longer than from a claim to `LiveCalls.add`, and from a settlement to `LiveCalls.remove`. */
export const STRAY_MS = 30_000;
/** A look holds until the next one is overdue. */
const LOOK_HOLDS_MS = 5_000;
/** A longer gap between two observations means that the observer was paused, not the nodes. */
const OBSERVER_GAP_MS = 5_000;

/** The heartbeats this process has seen: the last value of each node and since when it has not changed. */
export interface BeatsSeen {
  readonly observedAt: number;
  readonly seen: ReadonlyMap<string, { readonly beat: number; readonly since: number }>;
}

export const noBeatsSeen = (): BeatsSeen => ({ observedAt: Number.NEGATIVE_INFINITY, seen: new Map() });

/**
 * Nodes whose lease ran out: heartbeats unchanged over `LEASE_MS` of uninterrupted observation at monotonic time `at`.
 * Only this process's clock counts, so clocks of other machines do not matter; after a pause of this process or of the
 * database every node gets a whole lease again. Pure.
 */
export function expiredLeases(
  before: BeatsSeen,
  nodes: readonly { readonly id: string; readonly beat: number }[],
  at: number,
): { beats: BeatsSeen; expired: string[] } {
  const hasPaused = at - before.observedAt > OBSERVER_GAP_MS;
  const seen = new Map<string, { beat: number; since: number }>();
  const expired: string[] = [];
  for (const node of nodes) {
    const last = before.seen.get(node.id);
    const since = last === undefined || hasPaused || last.beat !== node.beat ? at : last.since;
    seen.set(node.id, { beat: node.beat, since });
    if (at - since >= LEASE_MS) expired.push(node.id);
  }
  return { beats: { observedAt: at, seen }, expired };
}

/** Whether a node sends a heartbeat now, `sinceMs` after the last one that was stored. Pure. */
export const isBeatDue = (isIdle: boolean, sinceMs: number): boolean =>
  // Timers may fire early, so half an interval counts as a whole one.
  sinceMs >= (isIdle ? IDLE_BEAT_MS : BEAT_MS) - BEAT_MS / 2;

export interface PresenceOptions {
  readonly db: Db;
  /** Sends the heartbeats. Apart from the pool, so that no burst of queries delays one beyond the lease. */
  readonly heartbeat: {
    beat(nodeId: string, figures: NodeFigures, now: Date): Promise<boolean>;
    /** The heartbeat of a process without calls. Absent: as with calls. Null: the node is fenced. */
    beatAndLook?(
      nodeId: string,
      figures: NodeFigures,
      at: { readonly now: Date; readonly quiet: Date },
    ): Promise<IdleLook | null>;
    close(): Promise<void>;
  };
  /** What this process carries now. */
  readonly figures: () => NodeFigures;
  /** No call is live here. */
  readonly isIdle: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** Stable over restarts of this process and unique among processes: host and data folder. */
  readonly name: string;
  readonly roles: string;
  /** Other nodes fenced this one and settled its calls: live calls must end, and `start` registers a new id. */
  readonly onFenced: () => void;
  /** What a heartbeat without calls found. */
  readonly onLook?: (look: IdleLook) => void;
  /** No heartbeat looks any more: a call begins, or the database is away. */
  readonly onLookEnd?: () => void;
}

/** This process's row among the nodes: registers, sends heartbeats, leaves. */
export class NodePresence {
  readonly #options: PresenceOptions;
  #nodeId: string = newId();
  /** Monotonic, read before the last stored heartbeat was sent, so no other node has seen it earlier. */
  #beatAt = Number.NEGATIVE_INFINITY;
  /** The same of the last heartbeat that looked. */
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** Ends the wait for the next heartbeat; null: none follows. */
  #cancel: (() => void) | null = null;
  #beating: Promise<void> | null = null;

  constructor(options: PresenceOptions) {
    this.#options = options;
  }

  get nodeId(): string {
    return this.#nodeId;
  }

  /** True while no other node can have fenced this one: its last heartbeat is younger than the lease. */
  get holdsLease(): boolean {
    return this.#options.clock.monotonic() - this.#beatAt < LEASE_MS;
  }

  /** Heartbeats look for due calls and for other nodes, every three seconds. */
  get isLooking(): boolean {
    return this.#options.clock.monotonic() - this.#lookedAt < LOOK_HOLDS_MS;
  }

  /** Registers under a new id, which fences earlier nodes of the same name. */
  async start(): Promise<void> {
    const { db, clock, name, roles } = this.#options;
    this.#nodeId = newId();
    this.#beatAt = clock.monotonic();
    await registerNode(db, { id: this.#nodeId, name, roles }, new Date(clock.now()));
    this.#wait(BEAT_MS);
  }

  /** No call is claimed for this node from now on; its heartbeat continues. */
  async drain(): Promise<void> {
    await markDraining(this.#options.db, this.#nodeId);
  }

  /** Stops the heartbeat and leaves. The row of a node with live calls stays, for the reaper. */
  async stop(): Promise<void> {
    this.#cancel?.();
    this.#cancel = null;
    await this.#beating;
    await this.#options.heartbeat.close();
    await leaveNode(this.#options.db, this.#nodeId);
  }

  /** A call begins: the next heartbeat follows within a second. */
  hasten(): void {
    if (this.#cancel === null) return;
    this.#wait(BEAT_MS);
    if (this.#lookedAt === Number.NEGATIVE_INFINITY) return;
    this.#lookedAt = Number.NEGATIVE_INFINITY;
    this.#options.onLookEnd?.();
  }

  #wait(waitMs: number): void {
    this.#cancel?.();
    const run = (): void => {
      const { isIdle, clock } = this.#options;
      this.#wait(isIdle() ? IDLE_BEAT_MS : BEAT_MS);
      if (!isBeatDue(isIdle(), clock.monotonic() - this.#beatAt)) return;
      this.#beating ??= this.#beat().finally(() => {
        this.#beating = null;
      });
    };
    this.#cancel = afterAligned(waitMs, run, { keepsAlive: true });
  }

  async #beat(): Promise<void> {
    const { clock, log } = this.#options;
    const at = clock.monotonic();
    try {
      if (await this.#store(at)) {
        this.#beatAt = at;
        return;
      }
      if (this.#cancel === null) return;
      this.#cancel();
      this.#cancel = null;
      log.error({ nodeId: this.#nodeId }, 'this node was fenced: other nodes took it for dead');
      this.#options.onFenced();
    } catch (error) {
      log.warn({ err: error }, 'heartbeat not written');
      // Another try fits into the lease.
      this.hasten();
    }
  }

  /** False: the node is fenced. */
  async #store(at: number): Promise<boolean> {
    const { heartbeat, figures, isIdle, clock, onLook } = this.#options;
    const now = new Date(clock.now());
    if (!isIdle() || heartbeat.beatAndLook === undefined) return heartbeat.beat(this.#nodeId, figures(), now);
    const quiet = new Date(now.getTime() - STRAY_MS);
    const look = await heartbeat.beatAndLook(this.#nodeId, figures(), { now, quiet });
    if (look === null) return false;
    if (isIdle()) {
      this.#lookedAt = at;
      onLook?.(look);
    }
    return true;
  }
}
