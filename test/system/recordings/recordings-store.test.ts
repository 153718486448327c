import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { S3 } from '../../../src/recordings/s3.ts';
import { findRecording } from '../../../src/store/recordings/files.ts';
import { parseWav } from '@callwright/audio';
import { RecordingDesk } from '../../helpers/recordings/recordings-api.ts';
import { eventually } from '../../helpers/service/service.ts';

let desk: RecordingDesk;
beforeAll(async () => {
  desk = await RecordingDesk.create();
});
afterAll(() => desk?.close());
afterEach(() => desk.renew());

const sha = (bytes: Buffer | null): string => createHash('sha256').update(bytes!).digest('hex');

describe('an object store', () => {
  it('receives a recording after its call and serves ranges, MP3 and waveform', async () => {
    const of = await desk.recorded();
    (await desk.keeper()).start();
    await eventually('the recording to be kept in the store', () => desk.isState(of, 'kept'));
    expect(await desk.rowOf(of)).toMatchObject({ place: 'store', last_error: null });
    expect(await desk.s3.keys()).toContain(desk.key(of));
    expect(await desk.isOnDisk(of)).toBe(false);

    expect(sha(await desk.read(of))).toBe(sha(of.wav));
    expect(await desk.read(of, 'wav', [40, 1099])).toEqual(of.wav.subarray(40, 1100));
    const [mp3, again] = await Promise.all([desk.read(of, 'mp3'), desk.read(of, 'mp3')]);
    expect(mp3?.length).toBeGreaterThan(7000);
    expect(again).toEqual(mp3);
    const peaks = JSON.parse((await desk.read(of, 'peaks')).toString());
    expect(peaks).toMatchObject({ channels: 2, length: 500 });
    expect(await desk.keysOf(of)).toHaveLength(3);
  });

  it('rejects a wrong secret, and the recording stays on the disk', async () => {
    const of = await desk.recorded();
    const wrong = new S3({ ...desk.s3.settings, secretAccessKey: 'wrong' }, desk.disk);
    (await desk.keeper({ store: wrong })).start();
    await eventually('a failed upload', async () =>
      (await desk.rowOf(of))?.last_error == null ? null : true,
    );
    expect(await desk.isOnDisk(of)).toBe(true);
    expect(await desk.s3.keys()).not.toContain(desk.key(of));
    await expect(wrong.find(of.path)).rejects.toMatchObject({ status: 503 });
  });

  it('receives the recording after an outage; until then the disk serves it', async () => {
    await desk.s3.goAway();
    try {
      const of = await desk.recorded();
      (await desk.keeper()).start();
      for (const tries of [1, 2, 3]) {
        await eventually('another failed upload', async () => {
          const row = await desk.rowOf(of);
          const isFailed = row?.tries === tries && row.last_error !== null;
          // The clock may move on only after the lease was released, or the keeper takes the recording twice.
          return isFailed && (await desk.heldMs(of)) <= 0 ? true : null;
        });
        expect(sha(await desk.read(of))).toBe(sha(of.wav));
        if (tries < 3) desk.clock.advance(120_000);
      }
      await desk.s3.comeBack();
      desk.clock.advance(120_000);
      await eventually('the recording to be kept in the store', () => desk.isState(of, 'kept'));
      expect(sha(await desk.read(of))).toBe(sha(of.wav));
      expect(await desk.isOnDisk(of)).toBe(false);

      await desk.s3.goAway();
      await expect(desk.read(of)).rejects.toMatchObject({ status: 503, code: 'RECORDING_STORE_UNAVAILABLE' });
    } finally {
      await desk.s3.comeBack();
    }
  });

  it('gets each recording once, with no local copy left, after a crash between two steps', async () => {
    const of = await desk.recorded();
    // Crash after the upload, before the database update.
    await desk.store.put(of.path, join(desk.disk.root, of.path), 'audio/wav');
    const dead = { taken_until: new Date(desk.clock.now() + 60_000) };
    await desk.database.db
      .updateTable('recording_files')
      .set(dead)
      .where('call_id', '=', of.callId)
      .execute();
    // Crash after the database update, before the local copy was deleted.
    const other = await desk.recorded();
    await desk.store.put(other.path, join(desk.disk.root, other.path), 'audio/wav');
    await writeFile(join(desk.disk.root, other.path.replace('.wav', '.mp3')), 'made before');
    await desk.database.db
      .updateTable('recording_files')
      .set({ state: 'uploaded', place: 'store' })
      .where('call_id', '=', other.callId)
      .execute();
    (await desk.keeper()).start();
    await eventually('the second to be cleaned', () => desk.isState(other, 'kept'));
    expect(await desk.isOnDisk(other)).toBe(false);
    expect(await desk.isOnDisk(other, '.mp3')).toBe(false);
    // The lease of the first recording has not expired yet.
    expect(await desk.isState(of, 'upload')).toBe(true);
    desk.clock.advance(60_001);
    await eventually('the first to be kept', () => desk.isState(of, 'kept'));
    expect(sha(await desk.read(of))).toBe(sha(of.wav));
  });

  it('is written to by the lease holder however long it takes, and by another process a minute after a crash', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const go = Promise.withResolvers<void>();
    try {
      const of = await desk.recorded();
      const slow = new S3(desk.s3.settings, desk.disk);
      const reached = Promise.withResolvers<void>();
      slow.put = async (path, from, type) => {
        if (path === of.path) {
          reached.resolve();
          await go.promise;
        }
        await desk.store.put(path, from, type);
      };
      (await desk.keeper({ store: slow })).start();
      await reached.promise;
      expect(await desk.heldMs(of)).toBe(60_000);
      for (let minute = 0; minute < 3; minute += 1) {
        desk.clock.advance(59_000);
        vi.advanceTimersByTime(15_000);
        await eventually('a lease renewal', async () => ((await desk.heldMs(of)) === 60_000 ? true : null));
      }
      // No other process took it meanwhile.
      let hasLooked = false;
      const others = new S3(desk.s3.settings, desk.disk);
      others.put = (path, from, type) => {
        hasLooked = true;
        return desk.store.put(path, from, type);
      };
      (await desk.keeper({ store: others })).start();
      await eventually('the other process to have polled', async () => {
        if (!hasLooked) await desk.recorded();
        return hasLooked || null;
      });
      expect(await desk.rowOf(of)).toMatchObject({ state: 'upload', tries: 1 });
      go.resolve();
      await eventually('the recording to be kept in the store', () => desk.isState(of, 'kept'));
      await eventually('the renewals to end', async () => (vi.getTimerCount() === 0 ? true : null));
    } finally {
      go.resolve();
      vi.useRealTimers();
    }
  });

  it('is not used by processes with another disk', async () => {
    const of = await desk.recorded();
    const other = await desk.keeper({ diskName: 'another disk' });
    other.start();
    const marker = await desk.recorded('repair');
    await eventually('the other process to have polled', () => desk.isState(marker, 'kept'));
    expect(await desk.rowOf(of)).toMatchObject({ state: 'upload', tries: 0 });
  });
});

describe('deleting', () => {
  it('removes the recording and its derived files from the store', async () => {
    const of = await desk.recorded();
    (await desk.keeper()).start();
    await eventually('the recording to be kept in the store', () => desk.isState(of, 'kept'));
    await desk.read(of, 'mp3');
    await desk.read(of, 'peaks');
    await desk.drop(of);
    expect(await findRecording(desk.database.db, of.workspaceId, of.callId)).toBeNull();
    await eventually('the database row to be deleted', () => desk.isState(of, null));
    expect(await desk.keysOf(of)).toEqual([]);
  });

  it('is retried until the store is reachable', async () => {
    const of = await desk.recorded();
    (await desk.keeper()).start();
    await eventually('the recording to be kept in the store', () => desk.isState(of, 'kept'));
    await desk.s3.goAway();
    await desk.drop(of);
    await eventually('a failed deletion', async () =>
      (await desk.rowOf(of))?.last_error == null ? null : true,
    );
    await desk.s3.comeBack();
    expect(await desk.s3.keys()).toContain(desk.key(of));
    desk.clock.advance(5000);
    await eventually('the database row to be deleted', () => desk.isState(of, null));
    expect(await desk.s3.keys()).not.toContain(desk.key(of));
  });

  it('during an upload leaves nothing in either place', async () => {
    const of = await desk.recorded();
    const slow = new S3(desk.s3.settings, desk.disk);
    const reached = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    slow.put = async (path, from, type) => {
      reached.resolve();
      await go.promise;
      await desk.store.put(path, from, type);
    };
    (await desk.keeper({ store: slow })).start();
    await reached.promise;
    await desk.drop(of);
    go.resolve();
    await eventually('the database row to be deleted', () => desk.isState(of, null));
    expect(await desk.s3.keys()).not.toContain(desk.key(of));
    expect(await desk.isOnDisk(of)).toBe(false);
  });

  it('works without a store', async () => {
    const of = await desk.recorded('kept');
    (await desk.keeper({ store: null })).start();
    await desk.read(of, 'mp3');
    expect(await desk.isOnDisk(of, '.mp3')).toBe(true);
    await desk.drop(of);
    await eventually('the database row to be deleted', () => desk.isState(of, null));
    expect(await desk.isOnDisk(of)).toBe(false);
    expect(await desk.isOnDisk(of, '.mp3')).toBe(false);
  });
});

describe('a recording cut off by a crash', () => {
  it('is repaired to its written length by the process with its disk', async () => {
    const of = await desk.recorded('repair');
    // 1.2345 s of samples and half a frame, behind a header with data size zero.
    const cut = of.wav.subarray(0, 44 + 9876 * 4 + 2);
    cut.writeUInt32LE(36, 4);
    cut.writeUInt32LE(0, 40);
    await writeFile(join(desk.disk.root, of.path), cut);
    (await desk.keeper({ store: null })).start();
    await eventually('the recording to be kept', () => desk.isState(of, 'kept'));
    const record = await desk.database.db
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
    const wav = parseWav(await readFile(join(desk.disk.root, of.path)));
    if (!wav.ok) throw new Error(wav.reason);
    expect(wav.pcm.length).toBe(9876 * 2);
    const header = (await readFile(join(desk.disk.root, of.path))).subarray(0, 44);
    expect(header.readUInt32LE(40)).toBe(9876 * 4);
    expect(header.readUInt32LE(4)).toBe(36 + 9876 * 4);
  });

  it('is searched for until a process finds it', async () => {
    const of = await desk.recorded('repair');
    await rm(join(desk.disk.root, of.path));
    (await desk.keeper()).start();
    await eventually('a search', async () => ((await desk.rowOf(of))?.last_error == null ? null : true));
    expect(await desk.rowOf(of)).toMatchObject({ state: 'repair', last_error: 'not on this disk' });
    await writeFile(join(desk.disk.root, of.path), of.wav);
    desk.clock.advance(5000);
    await eventually('it to be found and stored', () => desk.isState(of, 'kept'));
    expect(await desk.rowOf(of)).toMatchObject({ place: 'store' });
  });
});
