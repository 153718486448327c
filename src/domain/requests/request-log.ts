import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../shared/clock.ts';
import { newId } from '../../shared/ids.ts';
import type { Log } from '../../shared/log.ts';
import { forAllTenants } from '../../shared/shares/tenant.ts';
import type { Db } from '../../store/database.ts';
import { insertRequests, trimRequests, type ApiRequestDetailsRow } from '../../store/requests/requests.ts';

/** A request that was answered. */
export type ApiRequest = Omit<ApiRequestDetailsRow, 'id' | 'at'>;

/** How long requests wait for others, so that they share an insert. */
const GATHER_MS = 500;
/** Requests in one insert. */
const BATCH = 250;
/** Requests that wait in this process, of all workspaces and of one; further ones are not stored. */
const MAX_WAITING = 1_000;
const MAX_WAITING_OF_ONE = 250;
/** A workspace's older requests are deleted after this many new ones. */
const TRIM_EVERY = 50;

export interface RequestLogDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** Requests kept for each workspace; 0: none. */
  readonly kept: number;
  /** Learns of requests that are not stored. */
  readonly onDropped: (count: number) => void;
}

/**
 * The log of API requests: the latest of each workspace. Requests never wait for it: they are inserted in batches behind
 * the responses, and dropped when more arrive than the database takes.
 */
export class RequestLog {
  readonly #deps: RequestLogDeps;
  #waiting: ApiRequestDetailsRow[] = [];
  readonly #waitingOf = new Map<string, number>();
  /** Requests inserted since the last trim; a workspace without an entry has not been trimmed by this process. */
  readonly #insertedOf = new Map<string, number>();
  /** The last insert failed, which has been logged. */
  #isFailing = false;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> | null = null;

  constructor(deps: RequestLogDeps) {
    this.#deps = deps;
  }

  get isOn(): boolean {
    return this.#deps.kept > 0;
  }

  /** Whether a request of the workspace can wait here. */
  hasCapacity(workspaceId: string): boolean {
    const ofThis = this.#waitingOf.get(workspaceId) ?? 0;
    return this.#waiting.length < MAX_WAITING && ofThis < Math.min(this.#deps.kept, MAX_WAITING_OF_ONE);
  }

  /** Counts a request that is not stored. */
  drop(): void {
    this.#deps.onDropped(1);
  }

  append(request: ApiRequest): void {
    const at = new Date(this.#deps.clock.now() - request.durationMs);
    if (this.#wait({ ...request, id: newId(), at })) this.#schedule();
  }

  /** Writes what waits. Resolves when nothing is under way; requests of a workspace wait for its erasure. */
  async settled(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const isUnderWay = this.#writing !== null;
    await (this.#writing ?? this.#write());
    if (this.#waiting.length === 0) return;
    if (!isUnderWay) await sleep(GATHER_MS);
    await this.settled();
  }

  /** Whether there is room for the request; one that finds none is counted as dropped. */
  #wait(request: ApiRequestDetailsRow): boolean {
    const { workspaceId } = request;
    if (!this.hasCapacity(workspaceId)) {
      this.drop();
      return false;
    }
    this.#waitingOf.set(workspaceId, (this.#waitingOf.get(workspaceId) ?? 0) + 1);
    this.#waiting.push(request);
    return true;
  }

  #schedule(): void {
    if (this.#timer !== null || this.#writing !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void forAllTenants(() => this.#write());
    }, GATHER_MS).unref();
  }

  #write(): Promise<void> {
    this.#writing = this.#writeAll().finally(() => {
      this.#writing = null;
      if (this.#waiting.length > 0) this.#schedule();
    });
    return this.#writing;
  }

  /** Writes what waits now; what arrives meanwhile waits for the next time. */
  async #writeAll(): Promise<void> {
    const rows = this.#waiting;
    this.#waiting = [];
    this.#waitingOf.clear();
    for (let at = 0; at < rows.length; at += BATCH) {
      const batch = rows.slice(at, at + BATCH);
      try {
        const refused = await insertRequests(this.#deps.db, batch);
        for (const request of refused) this.#wait(request);
        const added = refused.length === 0 ? batch : batch.filter((request) => !refused.includes(request));
        await this.#trim(added);
        this.#isFailing = false;
      } catch (error) {
        this.#deps.onDropped(rows.length - at);
        if (!this.#isFailing) this.#deps.log.warn({ err: error }, 'API requests are missing in their log');
        this.#isFailing = true;
        return;
      }
    }
  }

  async #trim(batch: readonly ApiRequestDetailsRow[]): Promise<void> {
    const due = new Set<string>();
    for (const { workspaceId } of batch) {
      const count = (this.#insertedOf.get(workspaceId) ?? TRIM_EVERY) + 1;
      this.#insertedOf.set(workspaceId, count);
      if (count > TRIM_EVERY) due.add(workspaceId);
    }
    if (due.size === 0) return;
    await trimRequests(this.#deps.db, [...due], this.#deps.kept);
    for (const workspaceId of due) this.#insertedOf.set(workspaceId, 0);
  }
}
