import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { KEY_FILE, verifiedSeal } from '../../app/secrets.ts';
import { createLog } from '../../shared/log.ts';
import { scratchFolder } from '../../shared/scratch.ts';
import { createSeal } from '../../shared/seal.ts';
import { openDatabase } from '../../store/database.ts';
import { Target } from '../../store/backup/load.ts';
import { listedRecordings } from '../../store/backup/snapshot.ts';
import { EmbeddedPostgres } from '../../store/embedded/embedded-postgres.ts';
import { migrate, readMigrations } from '../../store/migrate.ts';
import type { Progress } from './backup.ts';
import { BackupFailure, readManifest, type Manifest } from './manifest.ts';
import { KEY_IS_ELSEWHERE, knownMigrations, loadRows, recordingsOf, verifyFiles } from './restore.ts';

/** What was proved, in the order of the checks. */
export interface Verdict {
  readonly manifest: Manifest;
  readonly checks: readonly string[];
}

/**
 * Proves a backup without touching an installation: checks its files and its key, loads its rows into a database in a
 * throw-away folder, migrates that and looks at what came out. `secretKey` is that of the settings. Throws BackupFailure
 * with the first check that fails; removes the folder in any case.
 */
export async function verifyBackup(
  source: string,
  secretKey: string | null,
  progress: Progress,
): Promise<Verdict> {
  const folder = resolve(source);
  const manifest = await readManifest(folder);
  const migrations = knownMigrations(await readMigrations(), manifest.database.migrations);
  const key = await keyOf(folder, manifest, secretKey);
  await verifyFiles(folder, manifest, progress);
  const { tables } = manifest.database;
  const checks = [
    `${tables.length} tables and ${manifest.recordings.files} recordings have the checksums of the manifest`,
  ];
  await inThrowAway(async (url, dataDir) => {
    const target = await Target.open(url);
    try {
      await loadRows(target, folder, manifest, migrations, progress);
    } finally {
      await target.close();
    }
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    checks.push(`${rows} rows were loaded into a new database, as many as the manifest has of every table`);
    progress('migrating the new database');
    await migrate(url);
    const newer = (await readMigrations()).length - migrations.length;
    checks.push(`the schema has ${migrations.length} migrations; ${newer} newer ones were applied`);
    await checkKey(url, key, dataDir);
    checks.push('the key opens the stored secrets');
    checks.push(await checkRecordings(url, folder, manifest));
  });
  return { manifest, checks };
}

/** The key of the backup: its key file, or the key of the settings. */
async function keyOf(
  folder: string,
  { secret_key: key }: Manifest,
  secretKey: string | null,
): Promise<string> {
  if (key.sha256 === null && secretKey === null) throw new BackupFailure(KEY_IS_ELSEWHERE);
  const own =
    key.sha256 === null ? secretKey : await readFile(join(folder, KEY_FILE), 'utf8').catch(() => null);
  if (own === null) throw new BackupFailure(`${KEY_FILE} is missing in the backup.`);
  if (createSeal(own).check === key.check) return own;
  throw new BackupFailure(
    key.sha256 === null
      ? 'SECRET_KEY is not the key of this backup: its secrets could not be read.'
      : `${KEY_FILE} of the backup is damaged.`,
  );
}

async function checkKey(url: string, key: string, dataDir: string): Promise<void> {
  const database = openDatabase(url, { maxConnections: 1, applicationName: 'callwright cli' });
  try {
    await verifiedSeal(database.kysely, key, dataDir);
  } catch {
    throw new BackupFailure('The key of the backup is not the key that sealed the secrets of its database.');
  } finally {
    await database.close();
  }
}

/** Compares the recordings that the rows name with the files of the backup. */
async function checkRecordings(url: string, folder: string, { recordings }: Manifest): Promise<string> {
  const stored = new Set<string>();
  for await (const { path } of recordingsOf(folder)) stored.add(path);
  const listed = await listedRecordings(url, recordings.disk);
  const absent = listed.filter((path) => !stored.has(path));
  if (absent.length > recordings.missing) {
    throw new BackupFailure(
      `${absent.length} recordings of the database are not in the backup, ${recordings.missing} were missing when it was made: ${absent[0]}`,
    );
  }
  return `${listed.length - absent.length} of ${listed.length} recordings of the database are in the backup`;
}

/** Runs `work` with a database in a new folder below TMPDIR, and removes the folder, also when a signal ends the command. */
async function inThrowAway(work: (url: string, dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = scratchFolder('verify');
  const log = createLog({ level: 'error', pretty: false });
  const embedded = new EmbeddedPostgres({ dataDir, log, durable: false });
  const clear = async (): Promise<void> => {
    await embedded.stop();
    const home = embedded.home ?? dataDir;
    for (const path of [home, dataDir]) await rm(path, { recursive: true, force: true, maxRetries: 5 });
  };
  const onSignal = (): void => void clear().finally(() => process.exit(130));
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);
  try {
    await work(await embedded.start(), dataDir);
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
    await clear();
  }
}
