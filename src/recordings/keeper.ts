import { recordingReady, stopWaiting } from '../domain/calls/recording-ready.ts';
import type { RecordingDisk } from '../domain/calls/recordings.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { LookingLoop } from '../shared/looking-loop.ts';
import { lockCall, type CallFacts } from '../store/call-facts.ts';
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
} from '../store/recordings.ts';
import type { Disk } from './disk.ts';
import { TYPES, type Place } from './place.ts';
import { removeAll } from './recordings.ts';
import { repairWav } from './repair.ts';
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
  /** Renewed while the work is in hand: what a process that died had taken is taken again after so long. */
  readonly leaseMs?: number;
}

const PARALLEL = 4;
const BEATS_PER_LEASE = 4;
/** Beats that are remembered while the database does not answer. */
const KEPT_BEATS = 8;
/** Waits after the first, second and further failures; the last one goes on for ever. */
const RETRY_MS = [5000, 30_000, 120_000, 600_000];
/** How long somebody may still turn up with the disk an unknown file is on. */
const SEARCH_MS = 7 * 86_400_000;

/**
 * Does with finished recordings what is to be done: mends what a crash cut off, brings them to the object store,
 * deletes them. What to do is in the database, so it is done once it can be, whoever died meanwhile. Several
 * processes may keep one disk.
 */
export class RecordingKeeper implements RecordingDisk {
  readonly #options: Required<KeeperOptions>;
  readonly #loop: LookingLoop;
  readonly #strays: LookingLoop;
  #isStoreAway = false;

  constructor(options: KeeperOptions) {
    this.#options = { pollMs: 1000, leaseMs: 60_000, ...options };
    this.#loop = new LookingLoop({
      look: () => this.#look(),
      pollMs: this.#options.pollMs,
      onError: (error) => options.log.error({ err: error }, 'recordings that wait could not be read'),
    });
    this.#strays = strayFinder(options);
  }

  get name(): string {
    return this.#options.diskName;
  }

  get hasStore(): boolean {
    return this.#options.store !== null;
  }

  recover(path: string): Promise<{ durationMs: number; bytes: number } | null> {
    const full = this.#options.disk.inside(path);
    return full === null ? Promise.resolve(null) : repairWav(full);
  }

  start(): void {
    this.#loop.start();
    this.#strays.start();
  }

  /** Look for work now. */
  kick(): void {
    this.#loop.kick();
  }

  /** What is under way is finished or, if it takes long, begun again by the next one. */
  async stop(graceMs = 5000): Promise<void> {
    await this.#strays.stop();
    await this.#loop.stop(graceMs);
  }

  async #look(): Promise<void> {
    const { db, clock, diskName, leaseMs } = this.#options;
    const limit = PARALLEL - this.#loop.running;
    if (limit <= 0) return;
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
      const stop = this.#holdOn(file, until);
      this.#loop.keep(this.#handle(file).finally(stop));
    }
  }

  /** Renews the lease until it is told to stop, or somebody else has it. */
  #holdOn(file: RecordingFileRow, from: Date): () => void {
    const { db, clock, log, leaseMs } = this.#options;
    // A beat whose answer was lost may have been written all the same.
    let held: readonly Date[] = [from];
    const beat = async (): Promise<void> => {
      const next = new Date(clock.now() + leaseMs);
      held = [...held, next].slice(-KEPT_BEATS);
      const isWritten = await renewRecordingFile(db, file, held, next);
      held = held.filter((until) => (isWritten ? until >= next : until !== next));
    };
    const timer = setInterval(() => {
      beat().catch((error: unknown) => {
        log.warn({ err: error, callId: file.callId }, 'the work on a recording could not be held on to');
      });
    }, leaseMs / BEATS_PER_LEASE);
    timer.unref();
    return () => clearInterval(timer);
  }

  async #handle(file: RecordingFileRow): Promise<void> {
    const { db, clock, log } = this.#options;
    try {
      await this.#deed(file);
      if (file.state === 'upload') this.#isStoreAway = false;
    } catch (error) {
      const waitMs = RETRY_MS[Math.min(file.tries, RETRY_MS.length) - 1] ?? 0;
      const name = error instanceof Error ? error.name : 'failed';
      const code = error instanceof Error && 'code' in error ? String(error.code) : name;
      // A store that is away is said once, not once a recording.
      if (file.state !== 'upload' || !this.#isStoreAway) {
        log.error(
          { err: error, callId: file.callId, work: file.state },
          'a recording waits: its work failed',
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

  #deed(file: RecordingFileRow): Promise<void> {
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

  /** The call was settled by a process that could not see this disk, or knew of no recording. */
  async #repair(file: RecordingFileRow): Promise<void> {
    const { db, clock, disk, diskName } = this.#options;
    const found = await this.recover(file.path);
    const now = new Date(clock.now());
    if (found === null && (await disk.find(file.path)) === null) return this.#keepLooking(file);
    await db.transaction().execute(async (tx) => {
      const call = await lockCall(tx, file.workspaceId, file.callId);
      const state = this.hasStore ? 'upload' : 'kept';
      // Cut off before anything was to be heard.
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
      log.error({ callId: file.callId }, 'a recording is gone from the disk before it was stored');
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

  /** Both places: an upload may have ended after it was decided to delete. */
  async #delete(file: RecordingFileRow): Promise<void> {
    const { db, clock, disk, store } = this.#options;
    const since = new Date(clock.now());
    const isElsewhere = file.disk === null && file.place === 'disk' && (await disk.find(file.path)) === null;
    await removeAll(disk, file.path);
    if (store !== null) await removeAll(store, file.path);
    else if (file.place === 'store')
      throw new Error('the recording is in an object store that is not set up');
    if (await awaitAdding(db, file, since)) return;
    await (isElsewhere ? this.#keepLooking(file) : forgetRecordingFile(db, file));
  }

  async #keepLooking(file: RecordingFileRow): Promise<void> {
    const { db, clock } = this.#options;
    const waitMs = RETRY_MS[Math.min(file.tries, RETRY_MS.length) - 1] ?? 0;
    if (file.tries * (RETRY_MS.at(-1) ?? 0) > SEARCH_MS) return forgetRecordingFile(db, file);
    await postponeRecordingFile(db, file, new Date(clock.now() + waitMs), 'not on this disk');
  }
}
