import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Puts a small file system of its own at a folder; false when this machine does not let us. */
export const mount = (folder: string, size: string): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'callwright-test', folder]).status === 0;
export const unmount = (folder: string): boolean => spawnSync('umount', [folder]).status === 0;

/** Mounting needs rights that many test machines do not give. */
export const mayMount = ((): boolean => {
  const folder = mkdtempSync(join(tmpdir(), 'callwright-mount-'));
  const may = mount(folder, '64k') && unmount(folder);
  rmSync(folder, { recursive: true, force: true });
  return may;
})();
