import { join } from 'node:path';
import type { Config } from '../config.ts';
import { Disk } from '../recordings/disk.ts';
import { S3 } from '../recordings/s3.ts';
import {
  TombstoneFile,
  TombstoneObjects,
  TOMBSTONES_FILE,
  type ReadableList,
} from '../recordings/tombstone-lists.ts';

/** The list of an installation: in the store that has its recordings, else in the data folder. */
export function openTombstones(dataDir: string, s3: Config['s3']): ReadableList {
  if (s3 === null) return new TombstoneFile(join(dataDir, TOMBSTONES_FILE));
  const disk = new Disk(join(dataDir, 'recordings'));
  return new TombstoneObjects(new S3(s3, disk), disk);
}
