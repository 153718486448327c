import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { Disk } from '../../src/recordings/disk.ts';
import { newId } from '../../src/shared/ids.ts';

/** Disks for the recordings of a file's tests, each in a folder of its own that nobody has made yet. */
export function disksOfFile(): () => Disk {
  let root = '';
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'callwright-disks-'));
  });
  afterAll(() => rm(root, { recursive: true }));
  return () => new Disk(join(root, newId()));
}
