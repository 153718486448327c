import { execFile } from 'node:child_process';
import { chown, cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { childEnvironment } from '../../shared/child-environment.ts';
import { randomToken } from '../../shared/ids.ts';
import type { Log } from '../../shared/log.ts';
import { findBinaries, type PostgresBinaries } from './binaries.ts';
import { chooseRunAs, reachableByOthers, spawnIds, wrap, type RunAs } from './run-as.ts';

const run = promisify(execFile);

export const SUPERUSER = 'callwright';
export const DATABASE = 'callwright';
export const REACHABLE_BASE = '/var/lib/callwright';

/** An initialised cluster on disk and how to start its server. */
export interface Cluster {
  /** Contains password, port and log; only its owner may read it. */
  readonly home: string;
  /** PostgreSQL's data folder. */
  readonly data: string;
  readonly binaries: PostgresBinaries;
  readonly runAs: RunAs;
  readonly password: string;
}

export interface ClusterOptions {
  readonly dataDir: string;
  /** False: no fsync, for disposable test servers. */
  readonly durable: boolean;
  readonly namespaces: boolean;
  /** Folder for cluster and binaries if root may not use namespaces and other users cannot enter `dataDir`. */
  readonly reachableBase: string;
  readonly log: Log;
}

/** Finds or creates the cluster. Creating it (initdb) takes about a second. */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const runAs = await chooseRunAs({ namespaces: options.namespaces });
  const place = join(options.dataDir, 'postgres');
  const home = runAs.kind === 'user' ? await placeForUser(place, runAs, options) : place;
  await mkdir(home, { recursive: true, mode: 0o700 });
  if (runAs.kind === 'user') await chown(home, runAs.uid, runAs.gid);
  const data = join(home, 'cluster');
  const major = await majorOfCluster(data);
  let binaries = await findBinaries(major);
  if (runAs.kind === 'user') binaries = await reachableBinaries(binaries, options);
  const password = await storedPassword(home);
  if (major === null) await initialise({ home, data, binaries, runAs, password });
  await writeConfiguration(data, options.durable, runAs);
  return { home, data, binaries, runAs, password };
}

/** Home of the cluster if the database's user cannot enter `dataDir`. */
const reachableHome = (dataDir: string, reachableBase: string): string =>
  join(reachableBase, createHash('sha256').update(dataDir).digest('hex').slice(0, 12));

/** Whether the data folder has a database. Creates nothing. */
export async function hasCluster(dataDir: string, reachableBase = REACHABLE_BASE): Promise<boolean> {
  const homes = [join(dataDir, 'postgres'), reachableHome(dataDir, reachableBase)];
  const majors = await Promise.all(homes.map((home) => majorOfCluster(join(home, 'cluster'))));
  return majors.some((major) => major !== null);
}

async function majorOfCluster(data: string): Promise<number | null> {
  const text = await readFile(join(data, 'PG_VERSION'), 'utf8').catch(() => null);
  return text === null ? null : Number.parseInt(text, 10);
}

async function storedPassword(home: string): Promise<string> {
  const path = join(home, 'password');
  const stored = await readFile(path, 'utf8').catch(() => null);
  if (stored !== null && stored.trim() !== '') return stored.trim();
  const password = randomToken(32);
  await writeFile(path, `${password}\n`, { mode: 0o600 });
  return password;
}

async function initialise(cluster: Cluster): Promise<void> {
  const { home, data, runAs } = cluster;
  // An interrupted first start leaves an incomplete cluster under this name only.
  const fresh = join(home, 'cluster.new');
  await rm(fresh, { recursive: true, force: true });
  const passwordFile = join(home, 'initdb-password');
  await writeFile(passwordFile, cluster.password, { mode: 0o600 });
  if (runAs.kind === 'user') await chown(passwordFile, runAs.uid, runAs.gid);
  const [command, args] = wrap(runAs, cluster.binaries.initdb, [
    `--pgdata=${fresh}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
  ]);
  try {
    await run(command, args, { ...spawnIds(runAs), cwd: home, timeout: 120_000, env: serverEnvironment() });
  } finally {
    await rm(passwordFile, { force: true });
  }
  // The rename is the commit: a folder named `cluster` is always complete.
  await rename(fresh, data);
}

/** The environment of the server's programs, without variables that could redirect them or leak secrets. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const { PATH } = childEnvironment();
  return { PATH, LC_ALL: 'C', TZ: 'UTC' };
}

/** Settings by which an operator lets a standby, an archive or another tool read the WAL. */
const WAL_READERS =
  /^[ \t]*(?:wal_level|archive_\w+|max_wal_senders|max_replication_slots|summarize_wal)\b/im;

/** Nothing but this server reads its WAL: an operator has configured no reader and made no replication slot. */
async function hasOwnWal(data: string): Promise<boolean> {
  const files = ['postgresql.conf', 'postgresql.local.conf', 'postgresql.auto.conf'];
  const texts = await Promise.all(files.map((name) => readFile(join(data, name), 'utf8').catch(() => '')));
  const slots = await readdir(join(data, 'pg_replslot')).catch(() => []);
  return slots.length === 0 && !texts.some((text) => WAL_READERS.test(text));
}

/**
 * What a crash needs, without what a standby needs. With the latter PostgreSQL notes its running transactions every 15 seconds, and each
 * note keeps its WAL writer awake for ten: three wakes a second of a server without work.
 */
const OWN_WAL = ['wal_level = minimal', 'max_wal_senders = 0'];

async function writeConfiguration(data: string, durable: boolean, runAs: RunAs): Promise<void> {
  const lines = [
    '# Written at every start; put manual settings into postgresql.local.conf in this folder.',
    "listen_addresses = '127.0.0.1'",
    'max_connections = 100',
    'shared_buffers = 128MB',
    'work_mem = 8MB',
    'maintenance_work_mem = 64MB',
    'effective_cache_size = 512MB',
    'random_page_cost = 1.1',
    'max_wal_size = 1GB',
    'checkpoint_completion_target = 0.9',
    'wal_compression = on',
    ...((await hasOwnWal(data)) ? OWN_WAL : []),
    'autovacuum_naptime = 20s',
    'idle_in_transaction_session_timeout = 60s',
    "timezone = 'UTC'",
    "log_timezone = 'UTC'",
    'password_encryption = scram-sha-256',
    durable ? 'fsync = on' : 'fsync = off\nsynchronous_commit = off\nfull_page_writes = off',
    "include_if_exists = 'postgresql.local.conf'",
  ];
  const included = join(data, 'callwright.conf');
  await writeFile(included, `${lines.join('\n')}\n`, { mode: 0o600 });
  if (runAs.kind === 'user') await chown(included, runAs.uid, runAs.gid);
  const main = join(data, 'postgresql.conf');
  const text = await readFile(main, 'utf8');
  const include = "include = 'callwright.conf'";
  if (!text.includes(include)) await writeFile(main, `${text}\n${include}\n`);
}

/** `place` if the user of `runAs` can reach it, else a folder under `reachableBase`, which is logged. */
async function placeForUser(
  place: string,
  runAs: RunAs & { kind: 'user' },
  options: ClusterOptions,
): Promise<string> {
  if (await reachableByOthers(options.dataDir)) return place;
  const reachable = reachableHome(options.dataDir, options.reachableBase);
  await mkdir(options.reachableBase, { recursive: true, mode: 0o755 });
  options.log.warn(
    { wanted: place, used: reachable, user: runAs.name },
    'database placed outside DATA_DIR: it cannot run as root, and its user cannot enter DATA_DIR',
  );
  return reachable;
}

async function reachableBinaries(
  binaries: PostgresBinaries,
  options: ClusterOptions,
): Promise<PostgresBinaries> {
  if (await reachableByOthers(binaries.root)) return binaries;
  const root = join(options.reachableBase, `server-${binaries.major}`);
  if ((await stat(join(root, 'complete')).catch(() => null)) === null) {
    await mkdir(options.reachableBase, { recursive: true, mode: 0o755 });
    await cp(binaries.root, root, { recursive: true, verbatimSymlinks: true, force: true });
    await writeFile(join(root, 'complete'), '');
  }
  options.log.warn({ used: root }, 'database programs copied to a folder that their user can enter');
  const moved = (path: string): string => join(root, path.slice(binaries.root.length));
  return { ...binaries, root, initdb: moved(binaries.initdb), postgres: moved(binaries.postgres) };
}
