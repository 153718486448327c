import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { silentLog } from '../../../src/shared/log.ts';
import { SUPERUSER } from '../../../src/store/embedded/cluster.ts';
import { EmbeddedPostgres } from '../../../src/store/embedded/embedded-postgres.ts';
import { isAlive } from '../../../src/shared/processes.ts';
import { readPostmasterFile, servesCluster } from '../../../src/store/embedded/postmaster.ts';
import { migrate, readMigrations } from '../../../src/store/migrate.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of the server's administration database, and the name of the migrated template. */
    postgres: { url: string; template: string };
  }
}

const PREFIX = 'callwright-test-';
const MEMORY = '/dev/shm';
/** The databases of a run take up to 4 GB. */
const ROOM = 8 * 1024 ** 3;

/** A folder in memory if there is room: creating the hundreds of files of a database on a disk takes far longer. */
async function roomyFolder(): Promise<string> {
  const free = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return Math.min(free, process.availableMemory()) < ROOM ? tmpdir() : MEMORY;
}

/** Stops and removes servers of killed test runs. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(PREFIX)) continue;
    const dir = join(folder, name);
    const owner = Number((await readFile(join(dir, 'owner'), 'utf8').catch(() => '')).trim());
    if (!Number.isInteger(owner) || owner <= 1 || isAlive(owner)) continue;
    const cluster = join(dir, 'postgres', 'cluster');
    const file = await readPostmasterFile(cluster);
    if (file !== null && (await servesCluster(file.pid, cluster))) process.kill(file.pid, 'SIGQUIT');
    await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** Starts one server per run, without fsync, with a migrated template database. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  for (const folder of [tmpdir(), MEMORY]) await removeLeftovers(folder);
  const dataDir = await mkdtemp(join(await roomyFolder(), PREFIX));
  await writeFile(join(dataDir, 'owner'), String(process.pid));
  const server = new EmbeddedPostgres({ dataDir, durable: false, log: silentLog });
  const url = await server.start();
  const migrations = await readMigrations();
  const hash = createHash('sha256')
    .update(migrations.map((file) => file.checksum).join())
    .digest('hex');
  const template = `template_${hash.slice(0, 12)}`;
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await admin.query(`create database ${template}`);
  // A run has about 150 databases: autovacuum would start a worker in one of them twice a second.
  await admin.query(`alter system set autovacuum_naptime = '1h'`);
  await admin.query('select pg_reload_conf()');
  // Thousands of connections: a password check with the default of 4096 rounds costs as much as many tests.
  await admin.query('set scram_iterations = 1');
  await admin.query(`alter role ${SUPERUSER} password '${new URL(url).password}'`);
  await admin.end();
  await migrate(url.replace(/[^/]+$/, template));
  project.provide('postgres', { url, template });
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
}
