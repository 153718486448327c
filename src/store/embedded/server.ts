import { spawn, type ChildProcess } from 'node:child_process';
import { copyFile, open, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { serverEnvironment, SUPERUSER, type Cluster } from './cluster.ts';
import { readPostmasterFile } from './postmaster.ts';
import { spawnIds, wrap } from './run-as.ts';

const STARTUP_MS = 300_000;
/** Size at which the server's log is rotated. */
const LOG_BYTES = 8 * 1024 * 1024;
/** sun_path holds 108 bytes on Linux, 104 on macOS, with the final NUL. */
const SOCKET_PATH_BYTES = 103;

interface Launched {
  readonly pid: number;
  readonly port: number;
  readonly child: ChildProcess;
}

export const logPathOf = (cluster: Cluster): string => join(cluster.home, 'server.log');

/**
 * Copies a log over `maxBytes` to `<path>.1` and empties it. The server keeps its file descriptor, which is open for
 * appending, so its next line is the first of the emptied file. Lines written between copy and truncation are lost.
 */
export async function rotateLog(path: string, maxBytes = LOG_BYTES): Promise<void> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size <= maxBytes) return;
  await copyFile(path, `${path}.1`);
  await truncate(path, 0);
}

/**
 * Starts a server on the cluster and waits until it answers. `known`: the port that clients connect to; null: any port.
 * Throws with the last lines of the server's log, or when another program uses the known port.
 */
export async function launch(cluster: Cluster, known: number | null): Promise<Launched> {
  const port = known === null ? await storedPort(cluster) : await freePort(known);
  if (port === null) throw new Error(`another program uses port ${known} of the embedded database`);
  const socket = join(cluster.home, `.s.PGSQL.${port}`);
  const sockets = Buffer.byteLength(socket) <= SOCKET_PATH_BYTES ? cluster.home : '';
  const logPath = logPathOf(cluster);
  await rotateLog(logPath);
  const output = await open(logPath, 'a', 0o600);
  const [command, args] = wrap(cluster.runAs, cluster.binaries.postgres, [
    '-D',
    cluster.data,
    '-p',
    String(port),
    '-k',
    sockets,
  ]);
  // Detached, so that Ctrl-C in the terminal does not reach the server: the parent stops it last.
  const child = spawn(command, args, {
    ...spawnIds(cluster.runAs),
    cwd: cluster.home,
    env: serverEnvironment(),
    detached: true,
    stdio: ['ignore', output.fd, output.fd],
  });
  const end: { cause: string | null } = { cause: null };
  child.once('error', (error) => (end.cause = error.message));
  child.once('exit', (code, signal) => (end.cause = `ended with ${signal ?? code}`));
  try {
    const until = performance.now() + STARTUP_MS;
    while (end.cause === null && performance.now() < until) {
      const file = await readPostmasterFile(cluster.data);
      if (file?.pid === child.pid && file?.ready === true && (await answers(cluster, port))) {
        child.unref();
        return { pid: file.pid, port, child };
      }
      await sleep(15);
    }
  } finally {
    await output.close();
  }
  child.kill('SIGQUIT');
  const tail = (await readFile(logPath, 'utf8').catch(() => '')).split('\n').slice(-8).join('\n');
  throw new Error(`embedded database ${end.cause ?? 'did not answer'}\n${tail}`);
}

/** The port of the last start if it is still free, so that noted URLs keep working; else any free one. */
async function storedPort(cluster: Cluster): Promise<number> {
  const path = join(cluster.home, 'port');
  const stored = Number(await readFile(path, 'utf8').catch(() => '0'));
  const port =
    (await freePort(Number.isInteger(stored) && stored < 65_536 ? stored : 0)) ?? (await freePort(0));
  if (port === null) throw new Error('no free TCP port on 127.0.0.1');
  await writeFile(path, `${port}\n`, { mode: 0o600 });
  return port;
}

export function urlOf(cluster: Cluster, port: number, database: string): string {
  return `postgresql://${SUPERUSER}:${cluster.password}@127.0.0.1:${port}/${database}`;
}

/** Whether the server accepts queries. */
export async function answers(cluster: Cluster, port: number): Promise<boolean> {
  return query(cluster, port, 'select 1').then(
    () => true,
    () => false,
  );
}

/** Runs one statement on the maintenance database; returns its row count. */
export async function query(cluster: Cluster, port: number, text: string): Promise<number> {
  const client = new Client({
    connectionString: urlOf(cluster, port, 'postgres'),
    connectionTimeoutMillis: 3000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(text)).rowCount ?? 0;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Returns `wanted` if it is free (0: any free port), else null. */
function freePort(wanted: number): Promise<number | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(null));
    probe.listen({ port: wanted, host: '127.0.0.1', exclusive: true }, () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : null;
      probe.close(() => resolve(port));
    });
  });
}
