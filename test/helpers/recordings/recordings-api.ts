import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  openCallRecording,
  recordingPath,
  type RecordingFormat,
} from '../../../src/domain/calls/recordings.ts';
import { Disk } from '../../../src/recordings/disk.ts';
import { RecordingKeeper } from '../../../src/recordings/keeper.ts';
import { Recordings } from '../../../src/recordings/recordings.ts';
import { S3 } from '../../../src/recordings/s3.ts';
import type { ManualClock } from '../../../src/shared/clock.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import type { Db } from '../../../src/store/database.ts';
import { dropRecordings, insertRecordingFile } from '../../../src/store/recordings/files.ts';
import { writeWav } from '@callwright/audio';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { startS3Server, type S3Server } from './s3-server.ts';
import { mondayClock } from '../database/workspace.ts';

export interface Recorded {
  readonly workspaceId: string;
  readonly callId: string;
  readonly path: string;
  readonly wav: Buffer;
}

const PREFIX = 'calls/of-test/';

/** Recordings on a disk and in an object store, with their database. */
export class RecordingDesk {
  readonly database: TestDatabase;
  readonly s3: S3Server;
  readonly clock: ManualClock = mondayClock();
  readonly #root: string;
  readonly #keepers: RecordingKeeper[] = [];
  disk: Disk;
  store: S3;
  recordings: Recordings;

  private constructor(database: TestDatabase, s3: S3Server, root: string) {
    this.database = database;
    this.s3 = s3;
    this.#root = root;
    this.disk = new Disk(join(root, newId()));
    this.store = new S3(s3.settings, this.disk);
    this.recordings = new Recordings(this.disk, this.store);
  }

  static async create(): Promise<RecordingDesk> {
    const root = await mkdtemp(join(tmpdir(), 'callwright-store-'));
    return new RecordingDesk(await createTestDatabase(), await startS3Server(PREFIX), root);
  }

  /** Stops all keepers and switches to a new disk. */
  async renew(): Promise<void> {
    await Promise.all(this.#keepers.splice(0).map((keeper) => keeper.stop()));
    await this.recordings.close();
    await this.database.db.deleteFrom('recording_files').execute();
    this.disk = new Disk(join(this.#root, newId()));
    this.store = new S3(this.s3.settings, this.disk);
    this.recordings = new Recordings(this.disk, this.store);
  }

  async close(): Promise<void> {
    await this.recordings.close();
    await this.s3.close();
    await this.database.close();
    await rm(this.#root, { recursive: true });
  }

  async keeper(options: { diskName?: string; store?: S3 | null; db?: Db } = {}): Promise<RecordingKeeper> {
    const made = new RecordingKeeper({
      db: options.db ?? this.database.db,
      clock: this.clock,
      log: silentLog,
      disk: this.disk,
      diskName: options.diskName ?? (await this.disk.name()),
      store: options.store === undefined ? this.store : options.store,
      recordingUrl: (_, callId) => `http://localhost/recordings/${callId}.wav`,
      pollMs: 20,
    });
    this.#keepers.push(made);
    return made;
  }

  /** Creates a settled recording of two seconds on the disk. */
  async recorded(state: 'upload' | 'kept' | 'repair' = 'upload'): Promise<Recorded> {
    const [workspaceId, callId] = [newId(), newId()];
    const path = recordingPath(workspaceId, callId, 1);
    const pcm = Int16Array.from({ length: 32_000 }, (_, at) => Math.round(8000 * Math.sin(at / 9)));
    const wav = writeWav({ sampleRate: 8000, channels: 2 }, pcm);
    const full = join(this.disk.root, path);
    await mkdir(dirname(full), { recursive: true });
    await writeFile(full, wav);
    const at = new Date(this.clock.now());
    const diskName = state === 'repair' ? null : await this.disk.name();
    await this.database.db.transaction().execute(async (tx) => {
      await insertRecordingFile(tx, { workspaceId, callId, attempt: 1, path, disk: diskName, state }, at);
      if (state === 'repair') return;
      const record = { workspace_id: workspaceId, call_id: callId, updated_at: at };
      await tx
        .insertInto('call_records')
        .values({ ...record, recording_path: path, recording_state: 'stored', recording_ms: 2000 })
        .execute();
    });
    return { workspaceId, callId, path, wav };
  }

  rowOf(of: Recorded) {
    return this.database.db
      .selectFrom('recording_files')
      .select(['state', 'place', 'disk', 'tries', 'last_error', 'adding', 'due_at'])
      .where('call_id', '=', of.callId)
      .executeTakeFirst();
  }

  /** Remaining lease time. */
  async heldMs(of: Recorded): Promise<number> {
    const { taken_until: until } = await this.database.db
      .selectFrom('recording_files')
      .select('taken_until')
      .where('call_id', '=', of.callId)
      .executeTakeFirstOrThrow();
    return (until?.getTime() ?? 0) - this.clock.now();
  }

  /** Until when a derived file may still be added. */
  async addingUntil(of: Recorded): Promise<number> {
    const untils = Object.values((await this.rowOf(of))?.adding ?? {});
    return Math.max(...untils.map((until) => Date.parse(until)));
  }

  async isState(of: Recorded, state: string | null): Promise<boolean | null> {
    return ((await this.rowOf(of))?.state ?? null) === state ? true : null;
  }

  /** Whether the WAV or a derived file is on the disk. */
  isOnDisk(of: Recorded, extension = '.wav'): Promise<boolean> {
    return stat(join(this.disk.root, of.path.replace('.wav', extension))).then(
      () => true,
      () => false,
    );
  }

  /** Opens the recording like the API. */
  open(of: Recorded, format: RecordingFormat = 'wav') {
    const { clock, recordings } = this;
    const deps = { db: this.database.db, clock, recordings };
    return openCallRecording(deps, of.workspaceId, of.callId, format);
  }

  async read(of: Recorded, format: RecordingFormat = 'wav', part?: [number, number]): Promise<Buffer> {
    const { file } = await this.open(of, format);
    return buffer(file.stream(...(part ?? [0, file.bytes - 1])));
  }

  drop(of: Recorded): Promise<void> {
    const at = new Date(this.clock.now());
    return this.database.db
      .transaction()
      .execute((tx) => dropRecordings(tx, of.workspaceId, [of.callId], at));
  }

  key(of: Recorded): string {
    return PREFIX + of.path;
  }

  /** Keys of a call's objects in the store. */
  async keysOf(of: Recorded): Promise<string[]> {
    return (await this.s3.keys()).filter((name) => name.includes(of.callId));
  }
}
