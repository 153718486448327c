import { openCallRecording } from '../../../src/domain/calls/recordings.ts';
import { Disk } from '../../../src/recordings/disk.ts';
import { Recordings } from '../../../src/recordings/recordings.ts';
import { S3, type S3Settings } from '../../../src/recordings/s3.ts';
import { ManualClock } from '../../../src/shared/clock.ts';
import { openDatabase } from '../../../src/store/database.ts';
import type { RecordingFormat } from '../../../src/domain/calls/recordings.ts';

/** Arguments of the child process. */
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
 * Child process that derives an MP3 or a waveform from a recording, sends a message before it stores the file, continues
 * on request, and kills itself (SIGKILL) right after storing it.
 */
const options = JSON.parse(process.argv[2] ?? '{}') as DyingDeriver;
const disk = new Disk(options.root);
const store = options.settings === null ? null : new S3(options.settings, disk);
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
    db: openDatabase(options.url).kysely,
    clock: new ManualClock(options.now),
    recordings: new Recordings(disk, store),
  },
  options.workspaceId,
  options.callId,
  options.format,
);
