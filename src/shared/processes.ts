import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import { childEnvironment } from './child-environment.ts';

/** Whether a process with this id exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The fields of `/proc/<pid>/stat` after the program's name, which may contain spaces and parentheses. */
async function statFields(pid: number): Promise<readonly string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Start time of a process in clock ticks since boot, which distinguishes processes that reuse a pid. */
export async function startTicks(pid: number): Promise<string> {
  return (await statFields(pid))[19] ?? '';
}

/** As `startTicks`, on every system; empty: no such process. */
export async function startOf(pid: number): Promise<string> {
  if (process.platform === 'linux') return startTicks(pid);
  const options = { timeout: 5_000, env: { ...childEnvironment(), LC_ALL: 'C' } };
  const listed = promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)], options);
  return listed.then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
}

/** Whether the process that had this id and start time still runs. A zombie has ended: only its parent has not read that. */
export async function stillRuns(pid: number, start: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform === 'linux' && ['Z', 'X'].includes((await statFields(pid))[0] ?? '')) return false;
  const now = await startOf(pid);
  return now === start;
}

/**
 * Names what a pid is unique in: one boot of one kernel, and in it a pid namespace. Containers have namespaces of their own, in
 * which the service often is process 1.
 */
export async function pidScope(): Promise<string> {
  if (process.platform !== 'linux') return hostname();
  const [boot, namespace] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => hostname()),
    readlink('/proc/self/ns/pid').catch(() => ''),
  ]);
  return `${boot.trim()} ${namespace}`;
}
