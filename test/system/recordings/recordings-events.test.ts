import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { dial, markAnswered } from '../../../src/domain/calls/attempt/dial.ts';
import { recordingPath } from '../../../src/domain/calls/recordings.ts';
import { settleAttempt } from '../../../src/domain/calls/attempt/settle.ts';
import type { Disk } from '../../../src/recordings/disk.ts';
import { RecordingKeeper } from '../../../src/recordings/keeper.ts';
import type { Place } from '../../../src/recordings/place.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { writeWav } from '@callwright/audio';
import { disksOfFile } from '../../helpers/recordings/disks.ts';
import { eventually } from '../../helpers/service/service.ts';
import { conversationResult, settlingOfFile } from '../../helpers/calls/settling-node.ts';
import { settlementOf } from '../../helpers/calls/settlement.ts';

// When recording_completed is emitted for a recording on another process's disk or on its way to a store.
const settling = settlingOfFile();
const newDisk = disksOfFile();
let disk: Disk;
const keepers: RecordingKeeper[] = [];
beforeEach(async () => {
  await settling.ground.db.deleteFrom('recording_files').execute();
  disk = newDisk();
});
afterEach(async () => {
  await Promise.all(keepers.splice(0).map((keeper) => keeper.stop()));
});

async function keeper(on: Disk, store: Place | null = null): Promise<RecordingKeeper> {
  await mkdir(on.root, { recursive: true });
  const { db, clock, recordingUrl } = settling.deps;
  const options = { db, clock, log: silentLog, disk: on, diskName: await on.name(), recordingUrl };
  const made = new RecordingKeeper({ ...options, store, pollMs: 20 });
  keepers.push(made);
  return made;
}

/** Two seconds of audio on the disk of the process that carried the attempt. */
async function record(call: Claimed): Promise<string> {
  const path = recordingPath(call.workspaceId, call.callId, call.attempt);
  await mkdir(dirname(join(disk.root, path)), { recursive: true });
  await writeFile(join(disk.root, path), writeWav({ sampleRate: 8000, channels: 2 }, new Int16Array(32_000)));
  return path;
}
const types = async (): Promise<string[]> => (await settling.events()).map((event) => event.event_type);
const reported = () =>
  eventually('recording_completed', async () =>
    (await types()).includes('recording_completed') ? true : null,
  );
const crash = async (call: Claimed, on: RecordingKeeper): Promise<void> => {
  const { ground, deps } = settling;
  const end = { end: { kind: 'crashed' }, hangupBy: 'system' } as const;
  await settleAttempt({ ...deps, disk: on }, settlementOf(call, ground.clock.now(), end));
};

describe('a call settled by another process after a crash', () => {
  it('emits recording_completed once the process with its disk is back', async () => {
    const { ground } = settling;
    const call = await settling.answered();
    await record(call);
    ground.clock.advance(10_000);
    await crash(call, await keeper(newDisk()));
    await settling.analyse();
    expect((await types()).slice(-1)).toEqual(['call_completed']);
    (await keeper(disk)).start();
    await reported();
    await settling.analyse();
    const [recorded, last] = (await settling.events()).slice(-2).map((event) => event.body);
    const link = { recording_url: `http://localhost/recordings/${call.callId}.wav`, recording_duration: 2 };
    expect(recorded).toMatchObject({ event_type: 'recording_completed', call_sid: 'sip-1', ...link });
    expect(last).toMatchObject({ event_type: 'all_processing_completed', ...link, call_duration: 10 });
  });

  it('waits at most two minutes for its recording', async () => {
    const { ground } = settling;
    const call = await settling.answered();
    await crash(call, await keeper(disk));
    ground.clock.advance(119_999);
    await settling.analyse();
    expect((await types()).slice(-1)).toEqual(['call_completed']);
    ground.clock.advance(1);
    await settling.analyse();
    const last = (await settling.events()).at(-1);
    expect(last?.body).toMatchObject({ event_type: 'all_processing_completed', recording_url: null });
  });

  it('keeps the record of its earlier attempt', async () => {
    const { ground, deps } = settling;
    const retries = { retry_count: 1, retry_busy: 0, retry_not_picked: 0, retry_failed: 0 };
    const first = await settling.answered({}, { callConfig: { call_retry_config: retries } });
    const end = { kind: 'answered', reason: 'VOICEMAIL_DETECTED' } as const;
    await settling.settle(first, { end, result: conversationResult({ recording: null }) });
    ground.clock.advance(3_600_000);
    const second = await settling.claimed();
    await dial(deps, second, { sipCallId: 'sip-2' });
    await markAnswered(deps, second, { at: ground.clock.now() });
    const path = await record(second);
    const owner = await keeper(disk);
    await crash(second, owner);
    const kept = await ground.db.selectFrom('call_records').selectAll().executeTakeFirstOrThrow();
    expect(kept).toMatchObject({ attempt: 1, recording_path: path, first_utterance_ms: 640 });
    expect(kept.transcript).toHaveLength(2);
    expect(kept.latency).toHaveLength(1);
  });
});

describe('a recording uploaded to a store', () => {
  it('is reported after its upload, and all_processing_completed after that', async () => {
    const { ground, deps } = settling;
    const call = await settling.answered();
    const path = await record(call);
    ground.clock.advance(10_000);
    const owner = await keeper(disk, newDisk());
    const recording = { path, durationMs: 2000, bytes: 128_044, failed: false };
    const end = settlementOf(call, ground.clock.now(), { result: conversationResult({ recording }) });
    await settleAttempt({ ...deps, disk: owner }, end);
    await settling.analyse();
    expect((await types()).slice(-1)).toEqual(['call_completed']);
    owner.start();
    await reported();
    await settling.analyse();
    expect((await types()).slice(-3)).toEqual([
      'recording_completed',
      'platform_analysis_completed',
      'all_processing_completed',
    ]);
  });
});
