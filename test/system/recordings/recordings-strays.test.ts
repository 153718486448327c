import { mkdir, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { dial } from '../../../src/domain/calls/attempt/dial.ts';
import { eraseCall } from '../../../src/domain/privacy/erase-call.ts';
import { changeRetention, sweepRetention } from '../../../src/domain/privacy/retention.ts';
import { recordingPath } from '../../../src/domain/calls/recordings.ts';
import { settleAttempt } from '../../../src/domain/calls/attempt/settle.ts';
import type { Disk } from '../../../src/recordings/disk.ts';
import { RecordingKeeper } from '../../../src/recordings/keeper.ts';
import { sweepStrays } from '../../../src/recordings/strays.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { wavHeader, writeWav } from '@callwright/audio';
import { disksOfFile } from '../../helpers/recordings/disks.ts';
import { eventually } from '../../helpers/service/service.ts';
import { settlementOf } from '../../helpers/calls/settlement.ts';
import { settlingOfFile } from '../../helpers/calls/settling-node.ts';
import { createWorkspace, queueCalls } from '../../helpers/database/workspace.ts';

// Recordings on the disk without a database row.
const settling = settlingOfFile();
const newDisk = disksOfFile();
let disk: Disk;
beforeEach(async () => {
  await settling.ground.db.deleteFrom('recording_files').execute();
  disk = newDisk();
});

const TWO_SECONDS = writeWav({ sampleRate: 8000, channels: 2 }, new Int16Array(32_000));
const HOUR_MS = 3_600_000;

/** A file with the current modification time. */
async function write(path: string, bytes: Buffer): Promise<string> {
  const full = join(disk.root, path);
  await mkdir(dirname(full), { recursive: true });
  await writeFile(full, bytes);
  const at = new Date(settling.ground.clock.now());
  await utimes(full, at, at);
  return path;
}
const record = ({ workspaceId, callId, attempt }: Claimed, bytes = TWO_SECONDS): Promise<string> =>
  write(recordingPath(workspaceId, callId, attempt), bytes);
const isThere = (path: string): Promise<boolean> =>
  stat(join(disk.root, path)).then(
    () => true,
    () => false,
  );

/** A dialled call without an answer in its journal. */
async function dialled(): Promise<Claimed> {
  const { db } = settling.ground;
  await queueCalls(db, await createWorkspace(db), 1);
  const call = await settling.claimed();
  await dial(settling.deps, call, { sipCallId: 'sip-1' });
  return call;
}
/** Settles the call as a process with another disk would. */
const settledElsewhere = (call: Claimed) =>
  settleAttempt(
    settling.deps,
    settlementOf(call, settling.ground.clock.now(), { end: { kind: 'crashed' }, hangupBy: 'system' }),
  );

const options = async () => {
  const { db, clock } = settling.ground;
  return { db, clock, log: silentLog, disk, diskName: await disk.name() };
};
const sweep = async () => sweepStrays(await options());
const rowOf = ({ callId }: Claimed) =>
  settling.ground.db
    .selectFrom('recording_files')
    .select(['state', 'attempt', 'path', 'disk'])
    .where('call_id', '=', callId)
    .executeTakeFirst();

/** Runs a keeper of this disk until `done`. */
async function kept(what: string, done: () => Promise<boolean>): Promise<void> {
  const { recordingUrl } = settling.deps;
  const keeper = new RecordingKeeper({ ...(await options()), store: null, recordingUrl, pollMs: 20 });
  keeper.start();
  try {
    await eventually(what, async () => ((await done()) ? true : null));
  } finally {
    await keeper.stop();
  }
}

describe('a recording whose answer is missing from the journal', () => {
  it('is found when its disk is back and attached to its call', async () => {
    const { clock, db } = settling.ground;
    const call = await dialled();
    const cut = Buffer.from(TWO_SECONDS);
    cut.writeUInt32LE(0, 40);
    const path = await record(call, cut);
    await settledElsewhere(call);
    expect(await rowOf(call)).toBeUndefined();
    clock.advance(60_000);
    await kept('the recording to be entered and mended', async () => (await rowOf(call))?.state === 'kept');
    expect(await rowOf(call)).toMatchObject({ attempt: 1, path, disk: await disk.name() });
    const row = await db.selectFrom('call_records').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ recording_path: path, recording_state: 'partial', recording_ms: 2000 });
    const reported = (await settling.events()).filter((event) => event.event_type === 'recording_completed');
    expect(reported.map((event) => event.body.recording_duration)).toEqual([2]);
    // A second search finds nothing.
    await sweep();
    expect((await rowOf(call))?.state).toBe('kept');
  });

  it('is deleted by the retention rule of its workspace', async () => {
    const { clock } = settling.ground;
    const call = await dialled();
    const path = await record(call);
    await settledElsewhere(call);
    await changeRetention(settling.deps, call.workspaceId, null, { recordingDays: 1 });
    // UUIDv7 IDs contain the real time of their creation.
    clock.advance(Date.now() - clock.now() + 25 * HOUR_MS);
    await sweep();
    expect((await rowOf(call))?.state).toBe('repair');
    await sweepRetention(settling.deps);
    await kept('the recording to be deleted', async () => !(await isThere(path)));
  });

  it('is deleted if its call was erased', async () => {
    const call = await dialled();
    const path = await record(call);
    await settledElsewhere(call);
    await eraseCall(settling.deps, call.workspaceId, null, call.callId);
    settling.ground.clock.advance(60_000);
    await sweep();
    expect((await rowOf(call))?.state).toBe('delete');
    await kept('the recording to be deleted', async () => !(await isThere(path)));
  });

  it('is deleted if it contains no audio', async () => {
    const call = await dialled();
    const path = await record(call, wavHeader({ sampleRate: 8000, channels: 2 }, 0));
    await settledElsewhere(call);
    settling.ground.clock.advance(60_000);
    await kept('the recording to be deleted', async () => !(await isThere(path)));
    await sweep();
    expect(await rowOf(call)).toBeUndefined();
  });

  it('is not touched during its call and for a minute after the last write', async () => {
    const call = await dialled();
    await record(call);
    settling.ground.clock.advance(HOUR_MS);
    expect(await sweep()).toBe(HOUR_MS);
    expect(await rowOf(call)).toBeUndefined();
    await settledElsewhere(call);
    await record(call);
    settling.ground.clock.advance(59_999);
    expect(await sweep()).toBe(60_000);
    expect(await rowOf(call)).toBeUndefined();
    settling.ground.clock.advance(1);
    await sweep();
    expect((await rowOf(call))?.state).toBe('repair');
  });
});

describe('a file without a call', () => {
  it('is deleted with its derived files after a day; files with other names never', async () => {
    const { clock } = settling.ground;
    const path = await write(recordingPath(newId(), newId(), 1), TWO_SECONDS);
    const made = await write(path.replace('.wav', '.mp3'), Buffer.from('x'));
    const other = await write('notes/read-me.wav', TWO_SECONDS);
    clock.advance(24 * HOUR_MS - 1);
    expect(await sweep()).toBe(HOUR_MS);
    expect([await isThere(path), await isThere(made)]).toEqual([true, true]);
    clock.advance(1);
    await sweep();
    expect([await isThere(path), await isThere(made), await isThere(other)]).toEqual([false, false, true]);
  });

  it('is deleted after an hour if it is a part file or derived from a deleted recording', async () => {
    const { clock } = settling.ground;
    const made = await write(
      recordingPath(newId(), newId(), 1).replace('.wav', '.peaks.json'),
      Buffer.from('{}'),
    );
    const part = await write(join('.part', newId()), TWO_SECONDS);
    clock.advance(HOUR_MS);
    await sweep();
    expect([await isThere(made), await isThere(part)]).toEqual([true, true]);
    clock.advance(1);
    await sweep();
    expect([await isThere(made), await isThere(part)]).toEqual([false, false]);
  });
});
