import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { payloadsOf, requestIn, sendWallNews } from '../store/calls/wall-news.ts';
import type { Db } from '../store/database.ts';
import type { LiveCalls, WorkspaceEvent } from './live-calls.ts';

/** Events wait this long for others, so that a process sends at most four statements a second. */
const SEND_EVERY_MS = 250;
/** A process that shows the calls asks again every few seconds; after this long without it, nothing is sent any more. */
const WATCHED_MS = 10_000;
/** Events that wait at most, in all workspaces together; beyond that the oldest are left out. */
const MOST_WAITING = 4_000;

interface Share {
  /** Until when each process shows the calls, by the monotonic clock. */
  readonly until: Map<string, number>;
  waiting: WorkspaceEvent[];
  stop: () => void;
}

export interface WallShareDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly live: Pick<LiveCalls, 'watchAll'>;
  /** This process, as its own requests name it. */
  readonly processId: string;
}

/** Sends the events of this process's live calls to the processes on which somebody watches the workspace, and to nobody else. */
export class WallShare {
  readonly #deps: WallShareDeps;
  readonly #shares = new Map<string, Share>();
  #timer: NodeJS.Timeout | null = null;

  constructor(deps: WallShareDeps) {
    this.#deps = deps;
  }

  /** A notification of WALL_REQUESTS. Who begins to watch gets what each call is at: status, take-over, request for a person and last lines. */
  receive(payload: string): void {
    const request = requestIn(payload);
    if (request === null || request.by === this.#deps.processId) return;
    const { workspaceId, by, isNew } = request;
    const share = this.#shares.get(workspaceId) ?? {
      until: new Map(),
      waiting: [],
      stop: () => undefined,
    };
    this.#shares.set(workspaceId, share);
    const isKnown = share.until.has(by);
    share.until.set(by, this.#deps.clock.monotonic() + WATCHED_MS);
    if (isNew || !isKnown) this.#follow(workspaceId, share);
    this.#timer ??= setTimeout(() => void this.#send(), SEND_EVERY_MS);
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const { stop } of this.#shares.values()) stop();
    this.#shares.clear();
  }

  /** Watches the calls anew, which begins with what each is at. */
  #follow(workspaceId: string, share: Share): void {
    share.stop();
    share.stop = this.#deps.live.watchAll(workspaceId, (event) => {
      // Words of an open line hold those before them.
      if (event.type === 'words')
        share.waiting = share.waiting.filter((waiting) => !isReplaced(waiting, event));
      share.waiting.push(event);
      if (share.waiting.length > MOST_WAITING / this.#shares.size) share.waiting.shift();
    });
  }

  async #send(): Promise<void> {
    const { db, clock, log, processId } = this.#deps;
    const now = clock.monotonic();
    const payloads: string[] = [];
    for (const [workspaceId, share] of this.#shares) {
      for (const [by, until] of share.until) if (until <= now) share.until.delete(by);
      payloads.push(...payloadsOf({ workspaceId, from: processId, events: share.waiting }));
      share.waiting = [];
      if (share.until.size > 0) continue;
      share.stop();
      this.#shares.delete(workspaceId);
    }
    this.#timer = null;
    if (payloads.length > 0) {
      await sendWallNews(db, payloads).catch((error: unknown) => {
        log.warn({ err: error }, 'live calls could not be shown to those who watch on other processes');
        // The next requests begin anew, with what each call is at.
        this.stop();
      });
    }
    if (this.#shares.size > 0) this.#timer ??= setTimeout(() => void this.#send(), SEND_EVERY_MS);
  }
}

const isReplaced = (waiting: WorkspaceEvent, event: WorkspaceEvent): boolean =>
  waiting.type === 'words' &&
  event.type === 'words' &&
  waiting.callId === event.callId &&
  waiting.role === event.role;
