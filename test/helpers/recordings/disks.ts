import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { Disk } from '../../../src/recordings/disk.ts';
import { newId } from '../../../src/shared/ids.ts';

/** Recording disks for a test file, each with its own folder that does not exist yet. */
export function disksOfFile(): () => Disk {
  let root = '';
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'callwright-disks-'));
  });
  afterAll(() => rm(root, { recursive: true }));
  return () => new Disk(join(root, newId()));
}
