import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Mounts a small file system at a folder; false without permission. */
export const mount = (folder: string, size: string): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'callwright-test', folder]).status === 0;
export const unmount = (folder: string): boolean => spawnSync('umount', [folder]).status === 0;

/** Mounting needs permissions that many test machines lack. */
export const mayMount = ((): boolean => {
  const folder = mkdtempSync(join(tmpdir(), 'callwright-mount-'));
  const may = mount(folder, '64k') && unmount(folder);
  rmSync(folder, { recursive: true, force: true });
  return may;
})();
