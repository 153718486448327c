import type { Log } from '../shared/log.ts';
import type { CapNotices } from '../domain/workspaces/cap-notices.ts';
import { Poller } from '../shared/poller.ts';
import { forAllTenants } from '../shared/shares/tenant.ts';
import { claimBatch, type ClaimDeps } from './claim.ts';
import type { Claimed } from './claimed.ts';
import { IDLE_POLL_MS, LOOKED_POLL_MS, POLL_MS, sleepMs } from './idle-sleep.ts';
import { TrunkCounts } from './trunks.ts';
import type { Db } from '../store/database.ts';
import { nextDueAt } from '../store/scheduler/claims.ts';
import { notifyQueue, QUEUE_CHANNEL } from '../store/scheduler/hints.ts';
import { NotificationListener } from '../store/notification-listener.ts';

export interface SchedulerOptions extends Omit<ClaimDeps, 'nodeId' | 'trunkCounts'> {
  readonly log: Log;
  readonly notices: CapNotices;
  /** Read for every batch: a node that was fenced continues under a new id. */
  readonly nodeId: () => string;
  /** Calls this process can carry in addition to its live ones. */
  readonly capacity: () => number;
  /** Dials a claimed call and owns it until its settlement or release. Must not throw. */
  readonly place: (claimed: Claimed) => void;
  /** Makes the next poll sooner when a call became due. */
  readonly wake: SchedulerWake;
  /** Neither a call of this process nor another process can make a call due without a wake. Absent: they may. */
  readonly isAloneAndIdle?: () => boolean;
  /** Something looks every three seconds at when the next call is due, and calls `expect`. Absent: nothing does. */
  readonly isLooking?: () => boolean;
  readonly pollMs?: number;
}

/** The most batches of one poll, so that a huge queue cannot occupy the process without a pause. */
const BATCHES = 256;

/**
 * Claims batches of due calls, one workspace each, while the process has capacity. Polls every second, and a process that is
 * idle, alone and hears of new calls when the next call is due: at least every five seconds, or every fifteen while its heartbeats look
 * every three. A wake only makes the next poll sooner.
 */
export class SchedulerLoop {
  readonly #options: SchedulerOptions;
  readonly #poller: Poller;
  readonly #trunkCounts = new TrunkCounts();
  /** When the next call is due by the last poll, epoch ms. */
  #dueAt = Number.NEGATIVE_INFINITY;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#poller = new Poller({
      poll: () => this.#poll(),
      pollMs: Math.max(options.pollMs ?? POLL_MS, LOOKED_POLL_MS),
      failedMs: Math.max(options.pollMs ?? POLL_MS, IDLE_POLL_MS),
      onError: (error) => options.log.error({ err: error }, 'claiming due calls failed'),
    });
  }

  start(): void {
    this.#options.wake.attach(() => this.#poller.kick());
    this.#poller.start();
  }

  /** A look found that the next call is due then. */
  expect(dueAt: number): void {
    if (dueAt < this.#dueAt) this.#poller.kick();
  }

  /** Polls now. */
  kick(): void {
    this.#poller.kick();
  }

  /** Stops claiming; resolves after the last claimed call was handed to `place`. */
  async drain(): Promise<void> {
    await this.#poller.stop();
  }

  /** Claims what is due. Returns ms until the next poll. */
  async #poll(): Promise<number> {
    const { db, clock, wake, isAloneAndIdle, isLooking, pollMs = POLL_MS } = this.#options;
    const dueAt = await nextDueAt(db);
    this.#dueAt = dueAt;
    const now = clock.now();
    if (dueAt <= now) return Math.min(pollMs, await this.#claimBatches());
    const mayRest = wake.isHearing && isAloneAndIdle?.() === true;
    return sleepMs({ now, dueAt, mayRest, isLooking: isLooking?.() === true, pollMs });
  }

  /** Claims round-robin over the workspaces until no call can start. Returns ms until a pace lets another one start. */
  async #claimBatches(): Promise<number> {
    const { capacity, place } = this.#options;
    let visited: string[] = [];
    let progress = false;
    let wait = Number.POSITIVE_INFINITY;
    for (let batches = 0; batches < BATCHES && this.#poller.isStarted; batches += 1) {
      const free = capacity();
      if (free <= 0) break;
      const batch = await claimBatch(
        { ...this.#options, nodeId: this.#options.nodeId(), trunkCounts: this.#trunkCounts },
        { visited, capacity: free },
      );
      if (batch === null) {
        // Every workspace has had its batch. Another round pays only if this one started or deferred a call.
        if (!progress) break;
        visited = [];
        progress = false;
        wait = Number.POSITIVE_INFINITY;
        continue;
      }
      visited.push(batch.workspaceId);
      if (batch.exhaustedCap !== null) {
        this.#options.notices.note(this.#options.db, batch.workspaceId, batch.exhaustedCap);
      }
      if (batch.claimed.length + batch.passedOver > 0) progress = true;
      wait = Math.min(wait, batch.waitMs);
      for (const claimed of batch.claimed) place(claimed);
      if (batches === BATCHES - 1) return 0;
    }
    return wait;
  }
}

/** Least time between two notifications: every NOTIFY takes a lock that all notifications of the database share. */
const NOTIFY_PAUSE_MS = 100;

/**
 * The one way to wake a scheduler after a call became due. A process that claims calls wakes its own loop; any other
 * notifies the processes that do. A lost wake costs at most the loop's poll interval.
 *
 * A connection that listens may still hear nothing: a pooler may serve it by changing connections of the database. So the wake
 * notifies every process when it begins to listen, and counts as hearing once a notification has come.
 */
export class SchedulerWake {
  readonly #db: Db;
  readonly #log: Log;
  #kickLoop: (() => void) | null = null;
  #listener: NotificationListener | null = null;
  #pause: NodeJS.Timeout | null = null;
  #isPending = false;
  #isHearing = false;

  constructor(deps: { readonly db: Db; readonly log: Log }) {
    this.#db = deps.db;
    this.#log = deps.log;
  }

  /** A call may be due. Bound, so that it can be passed on as a function. */
  readonly wake = (): void => {
    if (this.#kickLoop === null) this.#notifyPaced();
    else this.#kickLoop();
  };

  /** Wakes the loop of this process from now on. */
  attach(kickLoop: () => void): void {
    this.#kickLoop = kickLoop;
  }

  /** The connection that listens has received a notification. */
  get isHearing(): boolean {
    return this.#isHearing;
  }

  /** Notifies every process at once, for due calls and for hangup requests alike. */
  async notify(): Promise<void> {
    await forAllTenants(() => notifyQueue(this.#db)).catch(() => undefined);
  }

  /**
   * Wakes this process's loop on every notification too, and calls `onNotified`. `others`: what the payloads of further channels go
   * to. While the connection is down polling alone works.
   */
  listen(
    url: string,
    onNotified: (payload: string) => void = () => undefined,
    others: Readonly<Record<string, (payload: string) => void>> = {},
  ): void {
    const onQueue = (payload: string): void => {
      this.#isHearing = true;
      this.#kickLoop?.();
      onNotified(payload);
    };
    const channels = { ...others, [QUEUE_CHANNEL]: onQueue };
    this.#listener = new NotificationListener({
      url,
      log: this.#log,
      channels,
      onListening: () => void this.notify(),
      onLost: () => {
        this.#isHearing = false;
        // What a notification would have woken it for may be due.
        this.#kickLoop?.();
      },
    });
  }

  async close(): Promise<void> {
    if (this.#pause !== null) clearTimeout(this.#pause);
    this.#pause = null;
    await this.#listener?.close();
    this.#listener = null;
  }

  /** Leading and trailing edge: the first wake notifies at once, all further ones of the pause together at its end. */
  #notifyPaced(): void {
    if (this.#pause !== null) {
      this.#isPending = true;
      return;
    }
    void this.notify();
    this.#pause = setTimeout(() => {
      this.#pause = null;
      if (!this.#isPending) return;
      this.#isPending = false;
      this.#notifyPaced();
    }, NOTIFY_PAUSE_MS).unref();
  }
}
