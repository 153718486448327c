import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '../../shared/processes.ts';

/** The contents of `postmaster.pid`: line 1 pid, 4 port, 8 status (PostgreSQL, miscadmin.h). */
export interface PostmasterFile {
  readonly pid: number;
  readonly port: number | null;
  readonly ready: boolean;
}

/** Parses a postmaster.pid; null: invalid. */
export function parsePostmasterFile(text: string): PostmasterFile | null {
  const lines = text.split('\n');
  const pid = Number(lines[0]?.trim() || Number.NaN);
  if (!Number.isInteger(pid) || pid <= 1) return null;
  const port = Number(lines[3]?.trim() || Number.NaN);
  return {
    pid,
    port: Number.isInteger(port) && port > 0 && port < 65_536 ? port : null,
    ready: lines[7]?.trim() === 'ready',
  };
}

export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | null> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => null);
  return text === null ? null : parsePostmasterFile(text);
}

/**
 * Whether `pid` is the server of `cluster`, whose working directory is the cluster. Guards against a reused pid, common
 * in containers. Without /proc, the pid alone decides.
 */
export async function servesCluster(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return true;
  const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => null);
  return cwd !== null && cwd === (await realpath(cluster).catch(() => cluster));
}

/**
 * Whether any process, server or orphaned session, still works in `cluster`. Sessions briefly outlive a killed server,
 * and a second server beside them would corrupt the data. Without /proc the answer is true, the safe one.
 */
export async function clusterInUse(cluster: string): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const folder = await realpath(cluster).catch(() => cluster);
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    if ((await readlink(`/proc/${entry}/cwd`).catch(() => null)) === folder) return true;
  }
  return false;
}
