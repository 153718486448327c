import type { Log } from '../../shared/log.ts';
import { forAllTenants } from '../../shared/shares/tenant.ts';
import { newsIn, requestWall, WALL_NEWS, type WallEvent } from '../../store/calls/wall-news.ts';
import type { Db } from '../../store/database.ts';
import { NotificationListener } from '../../store/notification-listener.ts';
import type { WatchAll, WatchedEvent } from './watch.ts';

/** How often a process that shows live calls asks the others for theirs; they send for ten seconds. */
const ASK_EVERY_MS = 3_000;

export interface ClusterWallsDeps {
  readonly db: Db;
  /** Of the database, for a connection that listens while somebody watches. */
  readonly url: string;
  readonly log: Log;
  /** The calls of this process. */
  readonly local: WatchAll;
  /** This process, as it names itself in what it sends. */
  readonly processId: string;
}

interface Wall {
  readonly workspaceId: string;
  pass(event: WallEvent): void;
}

/** The live calls of a workspace in every process. Nothing is asked or sent while nobody watches. */
export class ClusterWalls {
  readonly #deps: ClusterWallsDeps;
  readonly #walls = new Set<Wall>();
  #listener: NotificationListener | null = null;
  #asking: NodeJS.Timeout | null = null;

  constructor(deps: ClusterWallsDeps) {
    this.#deps = deps;
  }

  /** Follows the live calls of this process at once, and those of the others within half a second. Returns the end of it. */
  readonly watchAll: WatchAll = (workspaceId, watcher) => {
    const stop = this.#deps.local(workspaceId, watcher);
    const wall = { workspaceId, pass: unseen(watcher) };
    this.#walls.add(wall);
    if (this.#listener === null) this.#open();
    else this.#ask([workspaceId], true);
    return () => {
      stop();
      this.#walls.delete(wall);
      if (this.#walls.size === 0) this.#close();
    };
  };

  #open(): void {
    const { url, log } = this.#deps;
    const askAll = (isNew: boolean): void =>
      this.#ask(new Set([...this.#walls].map(({ workspaceId }) => workspaceId)), isNew);
    this.#listener = new NotificationListener({
      url,
      log,
      channels: { [WALL_NEWS]: (payload) => this.#receive(payload) },
      onListening: () => askAll(true),
    });
    this.#asking = setInterval(() => askAll(false), ASK_EVERY_MS).unref();
  }

  #close(): void {
    void this.#listener?.close();
    this.#listener = null;
    if (this.#asking !== null) clearInterval(this.#asking);
  }

  #ask(workspaceIds: Iterable<string>, isNew: boolean): void {
    const { db, log, processId: by } = this.#deps;
    for (const workspaceId of workspaceIds) {
      forAllTenants(() => requestWall(db, { workspaceId, by, isNew })).catch((error: unknown) => {
        log.warn({ err: error }, 'other processes could not be asked for their live calls');
      });
    }
  }

  #receive(payload: string): void {
    const news = newsIn(payload);
    if (news === null || news.from === this.#deps.processId) return;
    for (const wall of this.#walls) {
      if (wall.workspaceId === news.workspaceId) for (const event of news.events) wall.pass(event);
    }
  }
}

/** Passes each numbered event on once: for somebody who begins to watch, a process repeats the last ones to all. */
function unseen(watcher: (event: WatchedEvent) => void): (event: WallEvent) => void {
  /** What was passed on of each call that has not ended. */
  const seen = new Map<string, Set<string>>();
  return (event) => {
    const { callId, id, type } = event;
    if (id !== undefined) {
      const ids = seen.get(callId) ?? new Set();
      if (ids.has(id)) return;
      seen.set(callId, ids.add(id));
    }
    if (type === 'ended') seen.delete(callId);
    watcher(event);
  };
}
