import type { ChildProcess } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../shared/log.ts';
import { isAlive, startTicks } from '../../shared/processes.ts';
import { DATABASE, openCluster, REACHABLE_BASE, type Cluster } from './cluster.ts';
import { clusterInUse, readPostmasterFile, servesCluster } from './postmaster.ts';
import { answers, launch, logPathOf, query, rotateLog, urlOf } from './server.ts';

export interface EmbeddedOptions {
  /** The service's DATA_DIR; the cluster is in its folder `postgres/`. */
  readonly dataDir: string;
  readonly log: Log;
  readonly durable?: boolean;
  readonly namespaces?: boolean;
  readonly reachableBase?: string;
  /** Uses the server of another process, which owns the data folder; never starts or stops one. */
  readonly joinsOnly?: boolean;
  /** When the server's log is rotated, and how often its size is checked. */
  readonly logRotation?: { readonly maxBytes: number; readonly checkMs: number };
}

const RETRY_MS = 10_000;
const LOG_CHECK_MS = 60_000;

interface Running {
  readonly pid: number;
  readonly port: number;
  /** Null: another process started the server. */
  readonly child: ChildProcess | null;
  /** Another live process owns this server, which must not be stopped here. */
  readonly joined: boolean;
}

/**
 * Supervises a PostgreSQL server as a child process on loopback: restarts it after a crash and stops it by fast
 * shutdown. If the parent is killed, the server continues as an orphan, which the next start adopts.
 */
export class EmbeddedPostgres {
  readonly #options: EmbeddedOptions;
  readonly #log: Log;
  #cluster: Cluster | null = null;
  #running: Running | null = null;
  #watch: NodeJS.Timeout | null = null;
  #logTimer: NodeJS.Timeout | null = null;
  #stopping = false;
  #restarting: Promise<void> | null = null;

  constructor(options: EmbeddedOptions) {
    this.#options = options;
    this.#log = options.log;
  }

  /** The server's process id; null: not running. */
  get pid(): number | null {
    return this.#running?.pid ?? null;
  }

  /** Folder of the cluster; null: not started. */
  get home(): string | null {
    return this.#cluster?.home ?? null;
  }

  /** Returns the database's URL once the server answers. Throws with the last lines of its log if it cannot start. */
  async start(): Promise<string> {
    this.#stopping = false;
    this.#cluster = await openCluster({
      dataDir: this.#options.dataDir,
      durable: this.#options.durable ?? true,
      namespaces: this.#options.namespaces ?? true,
      reachableBase: this.#options.reachableBase ?? REACHABLE_BASE,
      log: this.#log,
    });
    this.#running = await this.#adoptOrLaunch(this.#cluster, null);
    await this.#createDatabase(this.#cluster, this.#running.port);
    this.#supervise(this.#cluster, this.#running);
    if (!this.#running.joined) this.#rotateLogs(this.#cluster);
    return urlOf(this.#cluster, this.#running.port, DATABASE);
  }

  /**
   * Fast shutdown: ends sessions, keeps committed work. Escalates after 10 s to an immediate shutdown, then to SIGKILL.
   */
  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#watch !== null) clearInterval(this.#watch);
    this.#watch = null;
    if (this.#logTimer !== null) clearInterval(this.#logTimer);
    this.#logTimer = null;
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

  #rotateLogs(cluster: Cluster): void {
    const { maxBytes, checkMs = LOG_CHECK_MS } = this.#options.logRotation ?? {};
    this.#logTimer = setInterval(() => {
      rotateLog(logPathOf(cluster), maxBytes).catch((error: unknown) => {
        this.#log.warn({ err: error }, 'the log of the embedded database was not rotated');
      });
    }, checkMs);
    this.#logTimer.unref();
  }

  async #gone(pid: number, cluster: Cluster, waitMs: number): Promise<boolean> {
    const until = performance.now() + waitMs;
    while (performance.now() < until) {
      if (!(await servesCluster(pid, cluster.data))) return true;
      await sleep(20);
    }
    return false;
  }

  /** `known`: the port that clients connect to; null: none does yet. */
  async #adoptOrLaunch(cluster: Cluster, known: number | null): Promise<Running> {
    const until = performance.now() + RETRY_MS;
    for (let waitMs = 50; ; waitMs = Math.min(waitMs * 2, 1000)) {
      const adopted = await this.#adopt(cluster);
      if (adopted !== null) return adopted;
      try {
        if (this.#options.joinsOnly === true) throw new Error('The database of the service does not run.');
        const launched = await launch(cluster, known);
        await writeFile(join(cluster.home, 'owner'), `${process.pid} ${await startTicks(process.pid)}\n`);
        return { ...launched, joined: false };
      } catch (error) {
        if (performance.now() + waitMs > until) throw error;
        this.#log.warn({ err: error }, 'embedded database did not start, retrying');
        await sleep(waitMs);
      }
    }
  }

  /** The running server of this cluster, started by any process; waits while it starts or stops. Null: none. */
  async #adopt(cluster: Cluster): Promise<Running | null> {
    const until = performance.now() + RETRY_MS;
    for (;;) {
      const file = await readPostmasterFile(cluster.data);
      if (file === null) return null;
      if (!(await servesCluster(file.pid, cluster.data))) {
        // A stale postmaster.pid whose pid was reused, or belongs to a zombie of the killed server, would block the
        // start.
        if (isAlive(file.pid) && !(await clusterInUse(cluster.data))) {
          await rm(join(cluster.data, 'postmaster.pid'), { force: true });
        }
        return null;
      }
      if (file.ready && file.port !== null && (await answers(cluster, file.port))) {
        const joined = this.#options.joinsOnly === true || (await this.#hasOtherOwner(cluster));
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

  async #createDatabase(cluster: Cluster, port: number): Promise<void> {
    const exists = await query(cluster, port, `select from pg_database where datname = '${DATABASE}'`);
    if (exists === 0) await query(cluster, port, `create database ${DATABASE}`);
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

  /** Polls an adopted server, which is no child and emits no exit event. */
  async #checkAdopted(cluster: Cluster, running: Running): Promise<void> {
    if ((await servesCluster(running.pid, cluster.data)) || this.#running !== running) return;
    if (this.#watch !== null) clearInterval(this.#watch);
    this.#restart(cluster);
  }

  #restart(cluster: Cluster): void {
    if (this.#stopping || this.#restarting !== null) return;
    this.#log.error({}, 'embedded database ended unexpectedly, restarting');
    const port = this.#running?.port ?? null;
    this.#running = null;
    this.#restarting = this.#restartUntilUp(cluster, port).finally(() => {
      this.#restarting = null;
      // The server may have ended again before this promise settled.
      const child = this.#running?.child;
      if (child != null && (child.exitCode !== null || child.signalCode !== null)) this.#restart(cluster);
    });
  }

  /** On the same port: the connection pools of every process know no other. */
  async #restartUntilUp(cluster: Cluster, port: number | null): Promise<void> {
    while (!this.#stopping) {
      try {
        this.#running = await this.#adoptOrLaunch(cluster, port);
        this.#supervise(cluster, this.#running);
        this.#log.info({ pid: this.#running.pid }, 'embedded database restarted');
        return;
      } catch (error) {
        this.#log.error({ err: error }, 'embedded database restart failed');
      }
    }
  }
}

/** False: the process had already ended. */
function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
