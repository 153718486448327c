import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DyingDeriver } from '../../helpers/recordings/crash-deriver.ts';
import { RecordingDesk, type Recorded } from '../../helpers/recordings/recordings-api.ts';
import { eventually } from '../../helpers/service/service.ts';

// Files derived from a recording while it is being deleted, by processes that may crash.
let desk: RecordingDesk;
const children: ChildProcess[] = [];
beforeAll(async () => {
  desk = await RecordingDesk.create();
});
afterAll(() => desk?.close());
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await desk.renew();
});

const FORMATS = [
  { format: 'mp3', extension: '.mp3' },
  { format: 'peaks', extension: '.peaks.json' },
] as const;

/** Starts a process that derives the file and stops right before storing it. */
async function deriver(
  of: Recorded,
  format: 'mp3' | 'peaks',
  place: 'disk' | 'store',
): Promise<ChildProcess> {
  const options: DyingDeriver = {
    url: desk.database.url,
    now: desk.clock.now(),
    root: desk.disk.root,
    settings: place === 'store' ? desk.s3.settings : null,
    workspaceId: of.workspaceId,
    callId: of.callId,
    format,
  };
  const child = fork(join(import.meta.dirname, '../../helpers/recordings/crash-deriver.ts'), [
    JSON.stringify(options),
  ]);
  children.push(child);
  const [message] = (await once(child, 'message')) as [string];
  expect(message).toBe('about to put');
  return child;
}

async function putAndDie(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.send('go');
  expect(await exit).toEqual([null, 'SIGKILL']);
}

describe('a file derived from a recording', () => {
  it.each(FORMATS)(
    '$format: is deleted from the store if its process crashes after storing it, with the recording already deleted',
    async ({ format, extension }) => {
      const of = await desk.recorded();
      (await desk.keeper()).start();
      await eventually('the recording to be kept in the store', () => desk.isState(of, 'kept'));
      const child = await deriver(of, format, 'store');
      await desk.drop(of);
      await eventually('a first deletion', async () => {
        const row = await desk.rowOf(of);
        return row !== undefined && row.due_at.getTime() > desk.clock.now() ? true : null;
      });
      expect(await desk.keysOf(of)).toEqual([]);
      await putAndDie(child);
      expect(await desk.keysOf(of)).toEqual([desk.key(of).replace('.wav', extension)]);

      desk.clock.advance((await desk.addingUntil(of)) - desk.clock.now());
      await eventually('the database row to be deleted', () => desk.isState(of, null));
      expect(await desk.keysOf(of)).toEqual([]);
    },
  );

  it.each(FORMATS)('$format: is deleted from the disk in the same case', async ({ format, extension }) => {
    const of = await desk.recorded('kept');
    (await desk.keeper({ store: null })).start();
    const child = await deriver(of, format, 'disk');
    await desk.drop(of);
    await eventually('a first deletion', async () => ((await desk.isOnDisk(of)) ? null : true));
    await putAndDie(child);
    expect(await desk.isOnDisk(of, extension)).toBe(true);

    desk.clock.advance((await desk.addingUntil(of)) - desk.clock.now());
    await eventually('the database row to be deleted', () => desk.isState(of, null));
    expect(await desk.isOnDisk(of, extension)).toBe(false);
  });

  it('is deleted from the disk if its process crashes while the recording is uploaded', async () => {
    const of = await desk.recorded();
    const child = await deriver(of, 'mp3', 'disk');
    (await desk.keeper()).start();
    await eventually('the recording to be uploaded', () => desk.isState(of, 'uploaded'));
    await eventually('a first cleaning', async () => ((await desk.isOnDisk(of)) ? null : true));
    await putAndDie(child);
    expect(await desk.isOnDisk(of, '.mp3')).toBe(true);

    desk.clock.advance((await desk.addingUntil(of)) - desk.clock.now());
    await eventually('the recording to be kept in the store', () => desk.isState(of, 'kept'));
    expect(await desk.isOnDisk(of, '.mp3')).toBe(false);
    expect(await desk.keysOf(of)).toEqual([desk.key(of)]);
  });

  it.each(['disk', 'store'] as const)(
    'is never left behind when the recording on the %s is deleted concurrently',
    async (place) => {
      for (let round = 0; round < 4; round += 1) {
        const of = await desk.recorded(place === 'disk' ? 'kept' : 'upload');
        const keeper = await desk.keeper(place === 'disk' ? { store: null } : {});
        keeper.start();
        await eventually('the recording to be kept', () => desk.isState(of, 'kept'));
        const made = desk.open(of, 'mp3').catch((error: unknown) => error);
        await new Promise((resolve) => setTimeout(resolve, round * 25));
        await desk.drop(of);
        keeper.kick();
        await made;
        await eventually('the database row to be deleted', () => desk.isState(of, null));
        expect(await desk.keysOf(of)).toEqual([]);
        for (const extension of ['.wav', '.mp3']) expect(await desk.isOnDisk(of, extension)).toBe(false);
        await keeper.stop();
      }
    },
  );
});

describe('a recording deleted between its upload and the deletion of its local copy', () => {
  it('is cleaned up by the process with its disk', async () => {
    const of = await desk.recorded();
    await desk.store.put(of.path, join(desk.disk.root, of.path), 'audio/wav');
    await desk.database.db
      .updateTable('recording_files')
      .set({ state: 'uploaded', place: 'store' })
      .where('call_id', '=', of.callId)
      .execute();
    await desk.drop(of);
    const other = await desk.keeper({ diskName: 'another disk' });
    other.start();
    const marker = await desk.recorded('repair');
    await eventually('the other process to have polled', () => desk.isState(marker, 'kept'));
    expect(await desk.isState(of, 'delete')).toBe(true);
    (await desk.keeper()).start();
    await eventually('the database row to be deleted', () => desk.isState(of, null));
    expect(await desk.isOnDisk(of)).toBe(false);
    expect(await desk.keysOf(of)).toEqual([]);
  });
});
