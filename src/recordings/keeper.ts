import { recordingReady, stopWaiting } from '../domain/calls/recording-ready.ts';
import type { RecordingDisk } from '../domain/calls/recordings.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { Poller } from '../shared/poller.ts';
import { lockCall, type CallFacts } from '../store/calls/facts.ts';
import type { Db, Tx } from '../store/database.ts';
import {
  advanceRecordingFile,
  awaitAdding,
  forgetRecordingFile,
  postponeRecordingFile,
  renewRecordingFile,
  saveRecovered,
  takeRecordingFiles,
  type RecordingFileRow,
} from '../store/recordings/files.ts';
import type { Disk } from './disk.ts';
import { TYPES, type Place } from './place.ts';
import { removeAll } from './recordings.ts';
import { repairWav } from './wav-file.ts';
import { strayFinder } from './strays.ts';

export interface KeeperOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly disk: Disk;
  readonly diskName: string;
  /** Null: recordings stay on the disk. */
  readonly store: Place | null;
  /** The link under which a call's recording can be fetched. */
  readonly recordingUrl: (workspaceId: string, callId: string) => string;
  readonly pollMs?: number;
  /** Renewed while work is in progress. After a crash, another process takes over when the lease expires. */
  readonly leaseMs?: number;
}

const PARALLEL = 4;
/**
 * A poll that finds no work is followed by so many times the usual wait: with an object store the end of each upload is an event that
 * receivers wait for, without one only repairs and deletions are queued.
 */
const IDLE_WAITS = { withStore: 3, withoutStore: 10 } as const;
const RENEWALS_PER_LEASE = 4;
/** Unconfirmed renewals remembered while the database does not answer. */
const KEPT_RENEWALS = 8;
/** Waits after the first, second and further failures; the last wait repeats without end. */
const RETRY_MS = [5000, 30_000, 120_000, 600_000];
/** How long a process that mounts the disk of an unknown file may still appear. */
const SEARCH_MS = 7 * 86_400_000;

/**
 * Repairs recordings that a crash cut off, uploads recordings to the object store and deletes them. The work is queued in
 * the database, so it survives crashes and is retried until it succeeds. Several processes may share one disk.
 */
export class RecordingKeeper implements RecordingDisk {
  readonly #options: Required<KeeperOptions>;
  readonly #poller: Poller;
  readonly #strays: Poller;
  #isStoreAway = false;

  constructor(options: KeeperOptions) {
    this.#options = { pollMs: 1000, leaseMs: 60_000, ...options };
    this.#poller = new Poller({
      poll: () => this.#poll(),
      pollMs: this.#idleWaitMs,
      onError: (error) => options.log.error({ err: error }, 'queued work on recordings could not be read'),
    });
    this.#strays = strayFinder(options);
  }

  get name(): string {
    return this.#options.diskName;
  }

  get hasStore(): boolean {
    return this.#options.store !== null;
  }

  get #idleWaitMs(): number {
    const { store, pollMs } = this.#options;
    return pollMs * (store === null ? IDLE_WAITS.withoutStore : IDLE_WAITS.withStore);
  }

  recover(path: string): Promise<{ durationMs: number; bytes: number } | null> {
    const full = this.#options.disk.inside(path);
    return full === null ? Promise.resolve(null) : repairWav(full);
  }

  start(): void {
    this.#poller.start();
    this.#strays.start();
  }

  /** Polls for work now. */
  kick(): void {
    this.#poller.kick();
  }

  /** Waits up to `graceMs` for work in progress; another process repeats what was cut off. */
  async stop(graceMs = 5000): Promise<void> {
    await this.#strays.stop();
    await this.#poller.stop(graceMs);
  }

  /** Returns the wait until the next poll. */
  async #poll(): Promise<number> {
    const { db, clock, diskName, leaseMs, pollMs } = this.#options;
    const limit = PARALLEL - this.#poller.running;
    if (limit <= 0) return pollMs;
    const now = clock.now();
    const until = new Date(now + leaseMs);
    const files = await takeRecordingFiles(db, {
      disk: diskName,
      hasStore: this.hasStore,
      now: new Date(now),
      leaseUntil: until,
      limit,
    });
    for (const file of files) {
      const stop = this.#keepLease(file, until);
      this.#poller.track(this.#handle(file).finally(stop));
    }
    return files.length > 0 ? pollMs : this.#idleWaitMs;
  }

  /** Renews the lease until the returned function is called or another process holds the lease. */
  #keepLease(file: RecordingFileRow, from: Date): () => void {
    const { db, clock, log, leaseMs } = this.#options;
    // A renewal may have been committed although its response was lost, so each of these lease ends may be current.
    let held: readonly Date[] = [from];
    const renew = async (): Promise<void> => {
      const next = new Date(clock.now() + leaseMs);
      held = [...held, next].slice(-KEPT_RENEWALS);
      const isWritten = await renewRecordingFile(db, file, held, next);
      held = held.filter((until) => (isWritten ? until >= next : until !== next));
    };
    const timer = setInterval(() => {
      renew().catch((error: unknown) => {
        log.warn({ err: error, callId: file.callId }, 'the lease of a recording could not be renewed');
      });
    }, leaseMs / RENEWALS_PER_LEASE);
    timer.unref();
    return () => clearInterval(timer);
  }

  async #handle(file: RecordingFileRow): Promise<void> {
    const { db, clock, log } = this.#options;
    try {
      await this.#work(file);
      if (file.state === 'upload') this.#isStoreAway = false;
    } catch (error) {
      const waitMs = RETRY_MS[Math.min(file.tries, RETRY_MS.length) - 1] ?? 0;
      const name = error instanceof Error ? error.name : 'failed';
      const code = error instanceof Error && 'code' in error ? String(error.code) : name;
      // Log an unreachable store once, not once per recording.
      if (file.state !== 'upload' || !this.#isStoreAway) {
        log.error(
          { err: error, callId: file.callId, work: file.state },
          'work on a recording failed; it is retried',
        );
      }
      if (file.state === 'upload') this.#isStoreAway = true;
      await postponeRecordingFile(db, file, new Date(clock.now() + waitMs), code).catch(
        (failure: unknown) => {
          // The lease brings it back.
          log.error({ err: failure, callId: file.callId }, 'the work on a recording was not written');
        },
      );
    }
  }

  #work(file: RecordingFileRow): Promise<void> {
    switch (file.state) {
      case 'repair':
        return this.#repair(file);
      case 'upload':
        return this.#upload(file);
      case 'uploaded':
        return this.#clean(file);
      case 'delete':
        return this.#delete(file);
      default:
        return file.state satisfies never;
    }
  }

  /** For a call settled by a process without access to this disk or without knowledge of the recording. */
  async #repair(file: RecordingFileRow): Promise<void> {
    const { db, clock, disk, diskName } = this.#options;
    const found = await this.recover(file.path);
    const now = new Date(clock.now());
    if (found === null && (await disk.find(file.path)) === null) return this.#searchAgain(file);
    await db.transaction().execute(async (tx) => {
      const call = await lockCall(tx, file.workspaceId, file.callId);
      const state = this.hasStore ? 'upload' : 'kept';
      // A recording without audio is deleted.
      const to = { state: found === null ? 'delete' : state, place: 'disk', disk: diskName } as const;
      if (!(await advanceRecordingFile(tx, file, to, now))) return;
      if (found === null) return stopWaiting(tx, file, now);
      const { attempt, path } = file;
      await saveRecovered(tx, file.workspaceId, file.callId, { attempt, path, ...found }, now);
      if (call !== null && !this.hasStore) await this.#ready(tx, call, file, now);
    });
  }

  async #upload(file: RecordingFileRow): Promise<void> {
    const { db, clock, log, disk, diskName, store } = this.#options;
    if (store === null) return;
    const local = disk.inside(file.path);
    if (local === null || (await disk.find(file.path)) === null) {
      log.error({ callId: file.callId }, 'a recording vanished from the disk before its upload');
      await db.transaction().execute(async (tx) => {
        const now = new Date(clock.now());
        const to = { state: 'kept', place: 'disk', disk: diskName } as const;
        if (await advanceRecordingFile(tx, file, to, now)) await stopWaiting(tx, file, now);
      });
      return;
    }
    await store.put(file.path, local, TYPES.wav);
    await db.transaction().execute(async (tx) => {
      const call = await lockCall(tx, file.workspaceId, file.callId);
      const now = new Date(clock.now());
      const to = { state: 'uploaded', place: 'store', disk: diskName } as const;
      const isMoved = await advanceRecordingFile(tx, file, to, now);
      if (isMoved && call !== null) await this.#ready(tx, call, file, now);
    });
  }

  #ready(tx: Tx, call: CallFacts, file: RecordingFileRow, now: Date): Promise<void> {
    return recordingReady(tx, call, file, this.#options.recordingUrl(file.workspaceId, file.callId), now);
  }

  async #clean(file: RecordingFileRow): Promise<void> {
    const { db, clock, disk, diskName } = this.#options;
    const since = new Date(clock.now());
    await removeAll(disk, file.path);
    if (await awaitAdding(db, file, since)) return;
    const to = { state: 'kept', place: 'store', disk: diskName } as const;
    await advanceRecordingFile(db, file, to, new Date(clock.now()));
  }

  /** Deletes in both places: an upload may have finished after the deletion was queued. */
  async #delete(file: RecordingFileRow): Promise<void> {
    const { db, clock, disk, store } = this.#options;
    const since = new Date(clock.now());
    const isElsewhere = file.disk === null && file.place === 'disk' && (await disk.find(file.path)) === null;
    await removeAll(disk, file.path);
    if (store !== null) await removeAll(store, file.path);
    else if (file.place === 'store')
      throw new Error('the recording is in an object store that is not configured');
    if (await awaitAdding(db, file, since)) return;
    await (isElsewhere ? this.#searchAgain(file) : forgetRecordingFile(db, file));
  }

  async #searchAgain(file: RecordingFileRow): Promise<void> {
    const { db, clock } = this.#options;
    const waitMs = RETRY_MS[Math.min(file.tries, RETRY_MS.length) - 1] ?? 0;
    if (file.tries * (RETRY_MS.at(-1) ?? 0) > SEARCH_MS) return forgetRecordingFile(db, file);
    await postponeRecordingFile(db, file, new Date(clock.now() + waitMs), 'not on this disk');
  }
}
