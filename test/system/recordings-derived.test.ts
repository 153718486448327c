import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DyingDeriver } from '../helpers/dying-deriver.ts';
import { RecordingDesk, type Recorded } from '../helpers/recording-desk.ts';
import { eventually } from '../helpers/service.ts';

// What is made of a recording while the recording is deleted, by processes that may die of it.
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

/** A process that has made it and is about to put it beside the recording. */
async function deriver(
  of: Recorded,
  format: 'mp3' | 'peaks',
  place: 'disk' | 'store',
): Promise<ChildProcess> {
  const told: DyingDeriver = {
    url: desk.database.url,
    now: desk.clock.now(),
    root: desk.disk.root,
    settings: place === 'store' ? desk.s3.settings : null,
    workspaceId: of.workspaceId,
    callId: of.callId,
    format,
  };
  const child = fork(join(import.meta.dirname, '../helpers/dying-deriver.ts'), [JSON.stringify(told)]);
  children.push(child);
  const [said] = (await once(child, 'message')) as [string];
  expect(said).toBe('about to put');
  return child;
}

async function putAndDie(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.send('go');
  expect(await exit).toEqual([null, 'SIGKILL']);
}

describe('what is made of a recording', () => {
  it.each(FORMATS)(
    '$format: leaves nothing in the store when its maker dies after the put, the recording deleted before',
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
      await eventually('it to be forgotten', () => desk.isState(of, null));
      expect(await desk.keysOf(of)).toEqual([]);
    },
  );

  it.each(FORMATS)('$format: nor on the disk', async ({ format, extension }) => {
    const of = await desk.recorded('kept');
    (await desk.keeper({ store: null })).start();
    const child = await deriver(of, format, 'disk');
    await desk.drop(of);
    await eventually('a first deletion', async () => ((await desk.isOnDisk(of)) ? null : true));
    await putAndDie(child);
    expect(await desk.isOnDisk(of, extension)).toBe(true);

    desk.clock.advance((await desk.addingUntil(of)) - desk.clock.now());
    await eventually('it to be forgotten', () => desk.isState(of, null));
    expect(await desk.isOnDisk(of, extension)).toBe(false);
  });

  it('on the disk goes although its maker dies over it while the recording goes to the store', async () => {
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
    'is put nowhere when the recording on the %s is deleted meanwhile, however the two meet',
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
        await eventually('it to be forgotten', () => desk.isState(of, null));
        expect(await desk.keysOf(of)).toEqual([]);
        for (const extension of ['.wav', '.mp3']) expect(await desk.isOnDisk(of, extension)).toBe(false);
        await keeper.stop();
      }
    },
  );
});

describe('a recording that is deleted between its upload and the end of its local copy', () => {
  it('is for the process with its disk', async () => {
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
    await eventually('the other one to have looked', () => desk.isState(marker, 'kept'));
    expect(await desk.isState(of, 'delete')).toBe(true);
    (await desk.keeper()).start();
    await eventually('it to be forgotten', () => desk.isState(of, null));
    expect(await desk.isOnDisk(of)).toBe(false);
    expect(await desk.keysOf(of)).toEqual([]);
  });
});
