import { openCallRecording } from '../../src/domain/calls/recordings.ts';
import { Disk } from '../../src/recordings/disk.ts';
import { Recordings } from '../../src/recordings/recordings.ts';
import { S3, type S3Settings } from '../../src/recordings/s3.ts';
import { ManualClock } from '../../src/shared/clock.ts';
import { openDatabase } from '../../src/store/database.ts';
import type { RecordingFormat } from '../../src/domain/calls/recordings.ts';

/** What such a process is told to do. */
export interface DyingDeriver {
  readonly url: string;
  readonly now: number;
  readonly root: string;
  readonly settings: S3Settings | null;
  readonly workspaceId: string;
  readonly callId: string;
  readonly format: RecordingFormat;
}

/**
 * A process that makes an MP3 or a waveform of a recording, says so before it puts it where it is kept, goes on when it
 * is told to, and is killed, as by kill -9, right after.
 */
const told = JSON.parse(process.argv[2] ?? '{}') as DyingDeriver;
const disk = new Disk(told.root);
const store = told.settings === null ? null : new S3(told.settings, disk);
const place = store ?? disk;
const put = place.put.bind(place);
place.put = async (path: string, from: string, type: string) => {
  const go = new Promise((resolve) => process.once('message', resolve));
  process.send?.('about to put');
  await go;
  await put(path, from, type);
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => undefined);
};
await openCallRecording(
  {
    db: openDatabase(told.url).kysely,
    clock: new ManualClock(told.now),
    recordings: new Recordings(disk, store),
  },
  told.workspaceId,
  told.callId,
  told.format,
);
