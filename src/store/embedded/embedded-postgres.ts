import { spawn, type ChildProcess } from 'node:child_process';
import { open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Log } from '../../shared/log.ts';
import { DATABASE, openCluster, serverEnvironment, SUPERUSER, type Cluster } from './cluster.ts';
import { clusterInUse, isAlive, readPostmasterFile, servesCluster, startTicks } from './postmaster.ts';
import { spawnIds, wrap } from './run-as.ts';

export interface EmbeddedOptions {
  /** The service's DATA_DIR; the cluster lives in `postgres/` below it. */
  readonly dataDir: string;
  readonly log: Log;
  readonly durable?: boolean;
  readonly namespaces?: boolean;
  readonly reachableBase?: string;
}

const RETRY_MS = 10_000;
const STARTUP_MS = 300_000;
const LOG_BYTES = 8 * 1024 * 1024;
/** sun_path holds 108 bytes on Linux, 104 on macOS, with the final NUL. */
const SOCKET_PATH_BYTES = 103;

interface Running {
  readonly pid: number;
  readonly port: number;
  /** Null for a server that an earlier or another process started. */
  readonly child: ChildProcess | null;
  /** Another live process looks after this server: use it, never stop it. */
  readonly joined: boolean;
}

/**
 * A real PostgreSQL server kept as a child on loopback. Survives kill -9 of its parent as an orphan, which the next
 * start adopts; restarts after a crash of its own; ends by fast shutdown.
 */
export class EmbeddedPostgres {
  readonly #options: EmbeddedOptions;
  readonly #log: Log;
  #cluster: Cluster | null = null;
  #running: Running | null = null;
  #watch: NodeJS.Timeout | null = null;
  #stopping = false;
  #restarting: Promise<void> | null = null;

  constructor(options: EmbeddedOptions) {
    this.#options = options;
    this.#log = options.log;
  }

  /** The server's process id; null when it is not running. */
  get pid(): number | null {
    return this.#running?.pid ?? null;
  }

  /** Returns the database's URL once it answers. Throws with the server's last log lines when it cannot start. */
  async start(): Promise<string> {
    this.#stopping = false;
    this.#cluster = await openCluster({
      dataDir: this.#options.dataDir,
      durable: this.#options.durable ?? true,
      namespaces: this.#options.namespaces ?? true,
      reachableBase: this.#options.reachableBase ?? '/var/lib/callwright',
      log: this.#log,
    });
    this.#running = await this.#adoptOrLaunch(this.#cluster);
    await this.#createDatabase(this.#cluster, this.#running.port);
    this.#supervise(this.#cluster, this.#running);
    return this.#url(this.#cluster, this.#running.port, DATABASE);
  }

  /** Fast shutdown: sessions are ended, work committed so far stays. Bounded: 10 s, then immediate, then killed. */
  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#watch !== null) clearInterval(this.#watch);
    this.#watch = null;
    await this.#restarting;
    const running = this.#running;
    const cluster = this.#cluster;
    this.#running = null;
    if (running === null || cluster === null || running.joined) return;
    for (const [signal, waitMs] of [
      ['SIGINT', 10_000],
      ['SIGQUIT', 5_000],
      ['SIGKILL', 2_000],
    ] as const) {
      if (!(await servesCluster(running.pid, cluster.data))) break;
      if (!signalled(running.pid, signal)) break;
      if (await this.#gone(running.pid, cluster, waitMs)) break;
    }
    await rm(join(cluster.home, 'owner'), { force: true });
  }

  async #gone(pid: number, cluster: Cluster, waitMs: number): Promise<boolean> {
    const until = performance.now() + waitMs;
    while (performance.now() < until) {
      if (!(await servesCluster(pid, cluster.data))) return true;
      await sleep(20);
    }
    return false;
  }

  async #adoptOrLaunch(cluster: Cluster): Promise<Running> {
    const until = performance.now() + RETRY_MS;
    for (let waitMs = 50; ; waitMs = Math.min(waitMs * 2, 1000)) {
      const adopted = await this.#adopt(cluster);
      if (adopted !== null) return adopted;
      try {
        const launched = await this.#launch(cluster);
        await writeFile(join(cluster.home, 'owner'), `${process.pid} ${await startTicks(process.pid)}\n`);
        return launched;
      } catch (error) {
        if (performance.now() + waitMs > until) throw error;
        this.#log.warn({ err: error }, 'embedded database did not start, trying again');
        await sleep(waitMs);
      }
    }
  }

  /** A live server of this cluster, whoever started it. Waits for one that is starting or stopping. */
  async #adopt(cluster: Cluster): Promise<Running | null> {
    const until = performance.now() + RETRY_MS;
    for (;;) {
      const file = await readPostmasterFile(cluster.data);
      if (file === null) return null;
      if (!(await servesCluster(file.pid, cluster.data))) {
        // The server would refuse to start over a process that merely has the same id: one that got it later, or
        // what is left of a killed server that nobody waited for.
        if (isAlive(file.pid) && !(await clusterInUse(cluster.data))) {
          await rm(join(cluster.data, 'postmaster.pid'), { force: true });
        }
        return null;
      }
      if (file.ready && file.port !== null && (await this.#answers(cluster, file.port))) {
        const joined = await this.#hasOtherOwner(cluster);
        if (!joined) {
          await writeFile(join(cluster.home, 'owner'), `${process.pid} ${await startTicks(process.pid)}\n`);
        }
        this.#log.info({ pid: file.pid, joined }, 'running database server adopted');
        return { pid: file.pid, port: file.port, child: null, joined };
      }
      if (performance.now() > until) {
        throw new Error(`A database server (pid ${file.pid}) holds ${cluster.data} but does not answer.`);
      }
      await sleep(100);
    }
  }

  async #hasOtherOwner(cluster: Cluster): Promise<boolean> {
    const text = await readFile(join(cluster.home, 'owner'), 'utf8').catch(() => '');
    const [pid, ticks] = text.trim().split(' ');
    const owner = Number(pid ?? Number.NaN);
    if (!Number.isInteger(owner) || owner <= 1 || owner === process.pid || !isAlive(owner)) return false;
    return (await startTicks(owner)) === (ticks ?? '');
  }

  async #launch(cluster: Cluster): Promise<Running> {
    const port = await this.#port(cluster);
    const socket = join(cluster.home, `.s.PGSQL.${port}`);
    const sockets = Buffer.byteLength(socket) <= SOCKET_PATH_BYTES ? cluster.home : '';
    const logPath = join(cluster.home, 'server.log');
    const size = await stat(logPath).then(
      (found) => found.size,
      () => 0,
    );
    if (size > LOG_BYTES) await truncate(logPath, 0);
    const output = await open(logPath, 'a', 0o600);
    const [command, args] = wrap(cluster.runAs, cluster.binaries.postgres, [
      '-D',
      cluster.data,
      '-p',
      String(port),
      '-k',
      sockets,
    ]);
    // Detached: Ctrl-C in the terminal reaches only us, and we stop the server last.
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
        if (file?.pid === child.pid && file?.ready === true && (await this.#answers(cluster, port))) {
          child.unref();
          return { pid: file.pid, port, child, joined: false };
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

  /** The port of the last start when it is still free, so that URLs people noted keep working. */
  async #port(cluster: Cluster): Promise<number> {
    const path = join(cluster.home, 'port');
    const stored = Number(await readFile(path, 'utf8').catch(() => '0'));
    const port =
      (await freePort(Number.isInteger(stored) && stored < 65_536 ? stored : 0)) ?? (await freePort(0));
    if (port === null) throw new Error('no free TCP port on 127.0.0.1');
    await writeFile(path, `${port}\n`, { mode: 0o600 });
    return port;
  }

  #url(cluster: Cluster, port: number, database: string): string {
    return `postgresql://${SUPERUSER}:${cluster.password}@127.0.0.1:${port}/${database}`;
  }

  async #answers(cluster: Cluster, port: number): Promise<boolean> {
    return this.#query(cluster, port, 'select 1').then(
      () => true,
      () => false,
    );
  }

  async #query(cluster: Cluster, port: number, text: string): Promise<number> {
    const client = new Client({
      connectionString: this.#url(cluster, port, 'postgres'),
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

  async #createDatabase(cluster: Cluster, port: number): Promise<void> {
    const exists = await this.#query(cluster, port, `select from pg_database where datname = '${DATABASE}'`);
    if (exists === 0) await this.#query(cluster, port, `create database ${DATABASE}`);
  }

  #supervise(cluster: Cluster, running: Running): void {
    if (running.child !== null) {
      const onExit = (): void => this.#restart(cluster);
      if (running.child.exitCode !== null || running.child.signalCode !== null) onExit();
      else running.child.once('exit', onExit);
      return;
    }
    this.#watch = setInterval(() => {
      void this.#checkAdopted(cluster, running);
    }, 1000);
    this.#watch.unref();
  }

  /** A server that is not our child sends no exit event. */
  async #checkAdopted(cluster: Cluster, running: Running): Promise<void> {
    if ((await servesCluster(running.pid, cluster.data)) || this.#running !== running) return;
    if (this.#watch !== null) clearInterval(this.#watch);
    this.#restart(cluster);
  }

  #restart(cluster: Cluster): void {
    if (this.#stopping || this.#restarting !== null) return;
    this.#log.error({}, 'embedded database ended unexpectedly, restarting');
    this.#running = null;
    this.#restarting = this.#restartUntilUp(cluster).finally(() => {
      this.#restarting = null;
      // It may have ended again while this promise was settling.
      const child = this.#running?.child;
      if (child != null && (child.exitCode !== null || child.signalCode !== null)) this.#restart(cluster);
    });
  }

  async #restartUntilUp(cluster: Cluster): Promise<void> {
    while (!this.#stopping) {
      try {
        this.#running = await this.#adoptOrLaunch(cluster);
        this.#supervise(cluster, this.#running);
        this.#log.info({ pid: this.#running.pid }, 'embedded database is back');
        return;
      } catch (error) {
        this.#log.error({ err: error }, 'embedded database cannot be restarted');
      }
    }
  }
}

/** False when the process ended between the look and the signal. */
function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** `wanted` when nothing listens there (0: any), else null. */
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
