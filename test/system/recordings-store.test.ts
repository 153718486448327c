import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { recordingPath } from '../../src/domain/calls/recordings.ts';
import { Disk } from '../../src/recordings/disk.ts';
import { RecordingKeeper } from '../../src/recordings/keeper.ts';
import { Recordings } from '../../src/recordings/recordings.ts';
import { S3 } from '../../src/recordings/s3.ts';
import { newId } from '../../src/shared/ids.ts';
import { silentLog } from '../../src/shared/log.ts';
import { dropRecordings, findRecording, insertRecordingFile } from '../../src/store/recordings.ts';
import { parseWav, writeWav } from '../../src/voice/audio/wav.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { startS3Server, type S3Server } from '../helpers/s3-server.ts';
import { eventually } from '../helpers/service.ts';
import { mondayClock } from '../helpers/world.ts';

let database: TestDatabase;
let s3: S3Server;
let root: string;
const clock = mondayClock();
beforeAll(async () => {
  database = await createTestDatabase();
  s3 = await startS3Server('calls/of-test/');
  root = await mkdtemp(join(tmpdir(), 'callwright-store-'));
});
afterAll(async () => {
  await s3?.close();
  await database?.close();
  await rm(root, { recursive: true });
});

let disk: Disk;
let store: S3;
let recordings: Recordings;
const keepers: RecordingKeeper[] = [];
beforeEach(() => {
  disk = new Disk(join(root, newId()));
  store = new S3(s3.settings, disk);
  recordings = new Recordings(disk, store);
});
afterEach(async () => {
  await Promise.all(keepers.splice(0).map((keeper) => keeper.stop()));
  await recordings.close();
  await database.db.deleteFrom('recording_files').execute();
});

async function keeper(options: { diskName?: string; store?: S3 | null } = {}): Promise<RecordingKeeper> {
  const made = new RecordingKeeper({
    db: database.db,
    clock,
    log: silentLog,
    disk,
    diskName: options.diskName ?? (await disk.name()),
    store: options.store === undefined ? store : options.store,
    recordingUrl: (_, callId) => `http://localhost/recordings/${callId}.wav`,
    pollMs: 20,
  });
  keepers.push(made);
  return made;
}

interface Recorded {
  workspaceId: string;
  callId: string;
  path: string;
  wav: Buffer;
}

/** A call's recording of two seconds on the disk, as its settlement leaves it. */
async function recorded(state: 'upload' | 'kept' | 'repair' = 'upload'): Promise<Recorded> {
  const [workspaceId, callId] = [newId(), newId()];
  const path = recordingPath(workspaceId, callId, 1);
  const pcm = Int16Array.from({ length: 32_000 }, (_, at) => Math.round(8000 * Math.sin(at / 9)));
  const wav = writeWav({ sampleRate: 8000, channels: 2 }, pcm);
  const full = join(disk.root, path);
  await mkdir(dirname(full), { recursive: true });
  await writeFile(full, wav);
  const at = new Date(clock.now());
  const diskName = state === 'repair' ? null : await disk.name();
  await database.db.transaction().execute(async (tx) => {
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

const rowOf = (of: Recorded) =>
  database.db
    .selectFrom('recording_files')
    .select(['state', 'place', 'disk', 'tries', 'last_error'])
    .where('call_id', '=', of.callId)
    .executeTakeFirst();
const isState = (of: Recorded, state: string | null): Promise<boolean | null> =>
  rowOf(of).then((row) => ((row?.state ?? null) === state ? true : null));
const isOnDisk = (of: Recorded): Promise<boolean> =>
  stat(join(disk.root, of.path)).then(
    () => true,
    () => false,
  );
const read = async (of: Recorded, format: 'wav' | 'mp3' | 'peaks' = 'wav', part?: [number, number]) => {
  const kept = await findRecording(database.db, of.workspaceId, of.callId);
  const file = await recordings.open(of.path, format, kept?.place ?? 'disk');
  return file === null ? null : buffer(file.stream(...(part ?? [0, file.bytes - 1])));
};
const sha = (bytes: Buffer | null): string => createHash('sha256').update(bytes!).digest('hex');
const key = (of: Recorded): string => `calls/of-test/${of.path}`;

describe('an object store', () => {
  it('gets a recording after its call, and answers ranges, MP3 and waveform of it', async () => {
    const of = await recorded();
    (await keeper()).start();
    await eventually('the recording to be kept in the store', () => isState(of, 'kept'));
    expect(await rowOf(of)).toMatchObject({ place: 'store', last_error: null });
    expect(await s3.keys()).toContain(key(of));
    expect(await isOnDisk(of)).toBe(false);

    expect(sha(await read(of))).toBe(sha(of.wav));
    expect(await read(of, 'wav', [40, 1099])).toEqual(of.wav.subarray(40, 1100));
    const [mp3, again] = await Promise.all([read(of, 'mp3'), read(of, 'mp3')]);
    expect(mp3?.length).toBeGreaterThan(7000);
    expect(again).toEqual(mp3);
    const peaks = JSON.parse((await read(of, 'peaks'))!.toString());
    expect(peaks).toMatchObject({ channels: 2, length: 500 });
    expect((await s3.keys()).filter((name) => name.startsWith(key(of).slice(0, -4)))).toHaveLength(3);
  });

  it('is refused with a wrong secret, and nothing is lost by it', async () => {
    const of = await recorded();
    const wrong = new S3({ ...s3.settings, secretAccessKey: 'wrong' }, disk);
    (await keeper({ store: wrong })).start();
    await eventually('a failed upload', async () => ((await rowOf(of))?.last_error == null ? null : true));
    expect(await isOnDisk(of)).toBe(true);
    expect(await s3.keys()).not.toContain(key(of));
    await expect(wrong.find(of.path)).rejects.toMatchObject({ status: 503 });
  });

  it('that is away gets it once it is back; until then the disk answers', async () => {
    await s3.goAway();
    try {
      const of = await recorded();
      (await keeper()).start();
      for (const tries of [1, 2, 3]) {
        await eventually('another failed upload', async () => {
          const row = await rowOf(of);
          return row?.tries === tries && row.last_error !== null ? true : null;
        });
        expect(sha(await read(of))).toBe(sha(of.wav));
        if (tries < 3) clock.advance(120_000);
      }
      await s3.comeBack();
      clock.advance(120_000);
      await eventually('the recording to be kept in the store', () => isState(of, 'kept'));
      expect(sha(await read(of))).toBe(sha(of.wav));
      expect(await isOnDisk(of)).toBe(false);

      await s3.goAway();
      await expect(read(of)).rejects.toMatchObject({ status: 503, code: 'RECORDING_STORE_UNAVAILABLE' });
    } finally {
      await s3.comeBack();
    }
  });

  it('is not written to twice, nor is anything left on the disk, by a process that died between two steps', async () => {
    const of = await recorded();
    // Died after the upload, before the database knew of it.
    await store.put(of.path, join(disk.root, of.path), 'audio/wav');
    const dead = { taken_until: new Date(clock.now() + 60_000) };
    await database.db.updateTable('recording_files').set(dead).where('call_id', '=', of.callId).execute();
    (await keeper()).start();
    // Died after the database knew, before the local copy was gone.
    const other = await recorded();
    await store.put(other.path, join(disk.root, other.path), 'audio/wav');
    await writeFile(join(disk.root, other.path.replace('.wav', '.mp3')), 'made before');
    await database.db
      .updateTable('recording_files')
      .set({ state: 'uploaded', place: 'store' })
      .where('call_id', '=', other.callId)
      .execute();
    await eventually('the second to be cleaned', () => isState(other, 'kept'));
    expect(await isOnDisk(other)).toBe(false);
    await expect(stat(join(disk.root, other.path.replace('.wav', '.mp3')))).rejects.toThrow('ENOENT');
    // The lease of the first holds until it runs out.
    expect(await isState(of, 'upload')).toBe(true);
    clock.advance(60_001);
    await eventually('the first to be kept', () => isState(of, 'kept'));
    expect(sha(await read(of))).toBe(sha(of.wav));
  });

  it('is written to by the process that holds the recording, however long, and by another a minute after it died', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const go = Promise.withResolvers<void>();
    try {
      const of = await recorded();
      const slow = new S3(s3.settings, disk);
      const reached = Promise.withResolvers<void>();
      slow.put = async (path, from, type) => {
        reached.resolve();
        await go.promise;
        await store.put(path, from, type);
      };
      (await keeper({ store: slow })).start();
      await reached.promise;
      const heldMs = async (): Promise<number> => {
        const { taken_until: until } = await database.db
          .selectFrom('recording_files')
          .select('taken_until')
          .where('call_id', '=', of.callId)
          .executeTakeFirstOrThrow();
        return (until?.getTime() ?? 0) - clock.now();
      };
      expect(await heldMs()).toBe(60_000);
      for (let minute = 0; minute < 3; minute += 1) {
        clock.advance(59_000);
        vi.advanceTimersByTime(15_000);
        await eventually('a beat', async () => ((await heldMs()) === 60_000 ? true : null));
      }
      // Nobody else has taken it meanwhile.
      (await keeper()).start();
      const marker = await recorded();
      await eventually('the other one to have looked', () => isState(marker, 'kept'));
      expect(await rowOf(of)).toMatchObject({ state: 'upload', tries: 1 });
      go.resolve();
      await eventually('the recording to be kept in the store', () => isState(of, 'kept'));
      await eventually('the beat to end', async () => (vi.getTimerCount() === 0 ? true : null));
    } finally {
      go.resolve();
      vi.useRealTimers();
    }
  });

  it('is left alone by processes with another disk', async () => {
    const of = await recorded();
    const other = await keeper({ diskName: 'another disk' });
    other.start();
    const marker = await recorded('repair');
    await eventually('the other one to have looked', () => isState(marker, 'kept'));
    expect(await rowOf(of)).toMatchObject({ state: 'upload', tries: 0 });
  });
});

describe('deleting', () => {
  const drop = (of: Recorded): Promise<void> =>
    database.db
      .transaction()
      .execute((tx) => dropRecordings(tx, of.workspaceId, [of.callId], new Date(clock.now())));

  it('takes the recording and everything made of it out of the store', async () => {
    const of = await recorded();
    (await keeper()).start();
    await eventually('the recording to be kept in the store', () => isState(of, 'kept'));
    await read(of, 'mp3');
    await read(of, 'peaks');
    await drop(of);
    expect(await findRecording(database.db, of.workspaceId, of.callId)).toBeNull();
    await eventually('it to be forgotten', () => isState(of, null));
    expect((await s3.keys()).filter((name) => name.includes(of.callId))).toEqual([]);
  });

  it('waits for a store that is away', async () => {
    const of = await recorded();
    (await keeper()).start();
    await eventually('the recording to be kept in the store', () => isState(of, 'kept'));
    await s3.goAway();
    await drop(of);
    await eventually('a failed deletion', async () => ((await rowOf(of))?.last_error == null ? null : true));
    await s3.comeBack();
    expect(await s3.keys()).toContain(key(of));
    clock.advance(5000);
    await eventually('it to be forgotten', () => isState(of, null));
    expect(await s3.keys()).not.toContain(key(of));
  });

  it('decided while it is being uploaded leaves nothing in either place', async () => {
    const of = await recorded();
    const slow = new S3(s3.settings, disk);
    const reached = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    slow.put = async (path, from, type) => {
      reached.resolve();
      await go.promise;
      await store.put(path, from, type);
    };
    (await keeper({ store: slow })).start();
    await reached.promise;
    await drop(of);
    go.resolve();
    await eventually('it to be forgotten', () => isState(of, null));
    expect(await s3.keys()).not.toContain(key(of));
    expect(await isOnDisk(of)).toBe(false);
  });

  it('works on the disk alone', async () => {
    const of = await recorded('kept');
    (await keeper({ store: null })).start();
    await read(of, 'mp3');
    await drop(of);
    await eventually('it to be forgotten', () => isState(of, null));
    expect(await isOnDisk(of)).toBe(false);
    await expect(stat(join(disk.root, of.path.replace('.wav', '.mp3')))).rejects.toThrow('ENOENT');
  });
});

describe('a recording that a crash cut off', () => {
  it('is mended and entered by the process that has its disk, to what was written', async () => {
    const of = await recorded('repair');
    // 1.2345 s of samples and half a frame, behind a header that still says nothing was written.
    const cut = of.wav.subarray(0, 44 + 9876 * 4 + 2);
    cut.writeUInt32LE(36, 4);
    cut.writeUInt32LE(0, 40);
    await writeFile(join(disk.root, of.path), cut);
    (await keeper({ store: null })).start();
    await eventually('it to be kept', () => isState(of, 'kept'));
    const record = await database.db
      .selectFrom('call_records')
      .selectAll()
      .where('call_id', '=', of.callId)
      .executeTakeFirstOrThrow();
    expect(record).toMatchObject({
      recording_path: of.path,
      recording_state: 'partial',
      recording_ms: 1235,
      recording_bytes: 44 + 9876 * 4,
    });
    const wav = parseWav(await readFile(join(disk.root, of.path)));
    if (!wav.ok) throw new Error(wav.reason);
    expect(wav.pcm.length).toBe(9876 * 2);
    const header = (await readFile(join(disk.root, of.path))).subarray(0, 44);
    expect(header.readUInt32LE(40)).toBe(9876 * 4);
    expect(header.readUInt32LE(4)).toBe(36 + 9876 * 4);
  });

  it('stays looked for while no process has found it', async () => {
    const of = await recorded('repair');
    await rm(join(disk.root, of.path));
    (await keeper()).start();
    await eventually('a look', async () => ((await rowOf(of))?.last_error == null ? null : true));
    expect(await rowOf(of)).toMatchObject({ state: 'repair', last_error: 'not on this disk' });
    await writeFile(join(disk.root, of.path), of.wav);
    clock.advance(5000);
    await eventually('it to be found and stored', () => isState(of, 'kept'));
    expect(await rowOf(of)).toMatchObject({ place: 'store' });
  });
});
