import { createReadStream } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createGunzip } from 'node:zlib';
import { KEY_FILE } from '../../app/secrets.ts';
import type { Config } from '../../config.ts';
import type { Applied } from '../../domain/privacy/apply-tombstones.ts';
import { createSeal } from '../../shared/seal.ts';
import { Target, type Streams } from '../../store/backup/load.ts';
import { isBeforeBaseline } from '../../store/before-baseline.ts';
import { readMigrations, type Migration } from '../../store/migrate.ts';
import type { Progress } from './backup.ts';
import { DISK_NAME, hashOf, hasRecordings, linesOf, writeHashed } from './files.ts';
import {
  BackupFailure,
  readManifest,
  RECORDING_PATH,
  RECORDINGS_LIST,
  tableFile,
  type Manifest,
} from './manifest.ts';
import { withoutService, type Place } from './open-installation.ts';
import { adoptCopies, applyAfterRestore, collectTombstones, type ListOptions } from './tombstones.ts';

const PROGRESS_EVERY = 1000;

/**
 * Loads a backup into an installation that does not run, and erases, opts out and revokes what was since the backup.
 * Everything is checked before anything is changed; `replace` allows an installation that has data, whose recordings are
 * kept in a folder beside the new ones.
 */
export async function restore(
  place: Place & Pick<Config, 's3'>,
  source: string,
  options: { readonly replace: boolean } & ListOptions,
  progress: Progress,
): Promise<{ readonly manifest: Manifest; readonly applied: Applied }> {
  const folder = resolve(source);
  const dataDir = resolve(place.dataDir);
  const manifest = await readManifest(folder);
  const migrations = knownMigrations(await readMigrations(), manifest.database.migrations);
  await checkKey(place, folder, manifest, options.replace);
  const recordings = join(dataDir, 'recordings');
  if (!options.replace && (await hasRecordings(recordings))) {
    throw new BackupFailure(`${recordings} has recordings. ${OTHERWISE}`);
  }
  const tombstones = await collectTombstones(place, manifest, options);
  if (tombstones === null) progress(WITHOUT_LIST);
  await verifyFiles(folder, manifest, progress);
  const applied = await withoutService(place, 'restore', async (url) => {
    const target = await Target.open(url);
    try {
      if (await target.isInUse()) throw new BackupFailure('The service is running: stop it first.');
      if (!options.replace && !(await target.isEmpty())) {
        throw new BackupFailure(`The database has data. ${OTHERWISE}`);
      }
      const staged = await stageRecordings(folder, dataDir, manifest, progress);
      await loadRows(target, folder, manifest, migrations, progress);
      await putInPlace(staged, recordings);
      if (manifest.secret_key.sha256 !== null && place.secretKey === null) {
        await writeFile(join(dataDir, KEY_FILE), await readFile(join(folder, KEY_FILE)), { mode: 0o600 });
      }
      await adoptCopies(place, options.tombstones ?? []);
    } finally {
      await target.close();
    }
    progress('erasing what was erased since the backup');
    return applyAfterRestore(place, url, tombstones);
  });
  return { manifest, applied };
}

const WITHOUT_LIST =
  'warn  without a list of tombstones, people who were erased since the backup come back, and those who opted out may be called';

/** The backup has no key file: the key came from the settings of the service. */
export const KEY_IS_ELSEWHERE =
  'The backup was made with SECRET_KEY set: give this command the same key, by SECRET_KEY_FILE, SECRET_KEY or the ' +
  'systemd credential secret-key.';
const OTHERWISE = 'Restore into a new DATA_DIR or database, or replace this one with --replace.';

/** The migrations that make the backup's schema; throws when this version does not know one of them. */
export function knownMigrations(
  all: readonly Migration[],
  applied: readonly { readonly name: string; readonly checksum: string }[],
): Migration[] {
  if (isOfBaseline(applied)) return all.slice(0, 1);
  return applied.map(({ name, checksum }) => {
    const known = all.find((migration) => migration.name === name);
    if (known === undefined) {
      throw new BackupFailure(
        `The backup has migration ${name}, which this version does not know: restore it with the version that made it or a newer one.`,
      );
    }
    if (known.checksum !== checksum) {
      throw new BackupFailure(`Migration ${name} of the backup differs from the one of this version.`);
    }
    return known;
  });
}

function isOfBaseline(applied: Parameters<typeof isBeforeBaseline>[0]): boolean {
  try {
    return isBeforeBaseline(applied);
  } catch (error) {
    throw new BackupFailure((error as Error).message);
  }
}

/** Throws unless the restored installation will have the key that sealed its secrets. */
async function checkKey(place: Place, folder: string, manifest: Manifest, replace: boolean): Promise<void> {
  const { check, sha256 } = manifest.secret_key;
  if (place.secretKey !== null) {
    if (createSeal(place.secretKey).check === check) return;
    throw new BackupFailure('SECRET_KEY is not the key of this backup: its secrets could not be read.');
  }
  if (sha256 === null) {
    throw new BackupFailure(KEY_IS_ELSEWHERE);
  }
  const stored = await readFile(join(resolve(place.dataDir), KEY_FILE), 'utf8').catch(() => null);
  const own = await readFile(join(folder, KEY_FILE), 'utf8').catch(() => null);
  if (own === null || createSeal(own).check !== check) throw new BackupFailure(`${KEY_FILE} is damaged.`);
  if (stored !== null && stored !== own && !replace) {
    throw new BackupFailure(`${place.dataDir} has another ${KEY_FILE}. ${OTHERWISE}`);
  }
}

/** Reads every file of the backup and compares it with its checksum. */
export async function verifyFiles(folder: string, manifest: Manifest, progress: Progress): Promise<void> {
  const check = async (path: string, sha256: string): Promise<void> => {
    const found = await hashOf(path).catch(() => null);
    if (found === sha256) return;
    const is = found === null ? 'is missing' : 'does not have the checksum of the manifest';
    throw new BackupFailure(`The backup is damaged: ${path} ${is}. Nothing was changed.`);
  };
  progress('checking the backup');
  for (const { name, sha256 } of manifest.database.tables) await check(tableFile(folder, name), sha256);
  await check(join(folder, RECORDINGS_LIST), manifest.recordings.sha256);
  let files = 0;
  for await (const { path, sha256 } of recordingsOf(folder)) {
    await check(join(folder, 'recordings', path), sha256);
    files += 1;
    if (files % PROGRESS_EVERY === 0) progress(`checked ${files} of ${manifest.recordings.files} recordings`);
  }
}

export async function* recordingsOf(folder: string): AsyncIterable<{ path: string; sha256: string }> {
  for await (const line of linesOf(join(folder, RECORDINGS_LIST))) {
    const [sha256 = '', path = ''] = line.split('  ');
    if (!RECORDING_PATH.test(path)) throw new BackupFailure(`${RECORDINGS_LIST} names no recording: ${path}`);
    yield { path, sha256 };
  }
}

/** Copies the recordings beside their place, so that an interrupted restore changes no recording. */
async function stageRecordings(
  folder: string,
  dataDir: string,
  { recordings }: Manifest,
  progress: Progress,
): Promise<string> {
  const staged = join(dataDir, 'recordings.restoring');
  await rm(staged, { recursive: true, force: true });
  await mkdir(staged, { mode: 0o700 });
  let files = 0;
  for await (const { path, sha256 } of recordingsOf(folder)) {
    const written = await writeHashed(join(staged, path), () =>
      createReadStream(join(folder, 'recordings', path)),
    );
    if (written.sha256 !== sha256) throw new BackupFailure(`${path} changed while it was restored.`);
    files += 1;
    if (files % PROGRESS_EVERY === 0) progress(`restored ${files} of ${recordings.files} recordings`);
  }
  if (recordings.disk !== null) {
    await writeFile(join(staged, DISK_NAME), recordings.disk, { mode: 0o600 });
  }
  return staged;
}

export async function loadRows(
  target: Target,
  folder: string,
  { database, recordings }: Manifest,
  migrations: readonly Migration[],
  progress: Progress,
): Promise<void> {
  const rowsOf = (table: string): Streams => [createReadStream(tableFile(folder, table)), createGunzip()];
  const plan = { ...database, migrations, movedToStore: recordings.moved_to_store };
  const expected = new Map(database.tables.map(({ name, rows }) => [name, rows]));
  await target.load(plan, rowsOf, (table, rows) => {
    if (rows !== expected.get(table))
      throw new BackupFailure(`Table ${table} has ${rows} rows after the restore.`);
    if (rows > 0) progress(`table ${table}: ${rows} rows`);
  });
}

/** Moves the recordings in; those that were there are kept under another name. */
async function putInPlace(staged: string, recordings: string): Promise<void> {
  if (await hasRecordings(recordings)) {
    await rename(recordings, `${recordings}.replaced-${new Date().toISOString().replaceAll(':', '')}`);
  }
  await rm(recordings, { recursive: true, force: true });
  await rename(staged, recordings);
}
