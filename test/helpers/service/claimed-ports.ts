import { mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * Test files run side by side and start programs that bind their ports seconds later. A port that a process has claimed
 * is left alone by all others until that process ends.
 */
const CLAIMS = join(tmpdir(), 'callwright-test-ports');

/** Claims the port for this process; false: it is claimed already, by this process or by another one that runs. */
export function claim(port: number): boolean {
  mkdirSync(CLAIMS, { recursive: true });
  const file = join(CLAIMS, String(port));
  for (let tries = 0; tries < 2; tries++) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (isOfRunning(file)) return false;
    remove(file);
  }
  return false;
}

export const giveBack = (port: number): void => remove(join(CLAIMS, String(port)));

/** Whether the process that claimed the port runs. */
function isOfRunning(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0);
    return true;
  } catch (error) {
    // EPERM: it runs as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function remove(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Another process was faster.
  }
}
