import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createGzip } from 'node:zlib';
import { KEY_FILE, verifiedSeal } from '../../app/secrets.ts';
import type { Seal } from '../../shared/seal.ts';
import { openDatabase } from '../../store/database.ts';
import { movedToStore, Snapshot } from '../../store/backup/snapshot.ts';
import { diskNameOf, hashOf, linesOf, namesIn, writeHashed } from './files.ts';
import {
  BackupFailure,
  MANIFEST,
  RECORDING_PATH,
  RECORDINGS_LIST,
  tableFile,
  type Manifest,
} from './manifest.ts';
import { besideService, type Place } from './open-installation.ts';
import { tombstoneKeyId } from './tombstones.ts';

export type Progress = (line: string) => void;

/** Rows compress to a fifth at this level, at the speed of a disk. */
const GZIP_LEVEL = 3;
const PROGRESS_EVERY = 1000;

/**
 * Copies an installation into a new folder: database, recordings on disk and the key file. The service may run
 * meanwhile: the database is one snapshot, and the recordings are those that it lists. Memory does not grow with the
 * data. The manifest is written last, so that a folder without one is an interrupted backup.
 */
export async function backUp(
  place: Place,
  version: string,
  target: string,
  progress: Progress,
): Promise<Manifest> {
  const folder = resolve(target);
  if ((await namesIn(folder)).length > 0) throw new BackupFailure(`${folder} is not empty.`);
  const createdAt = new Date().toISOString();
  const { database, recordings, secretKey, tombstones } = await besideService(
    place,
    'backup',
    async (url) => {
      // Before the first file: a backup without the key that sealed its secrets is none.
      const { check } = await checkedKey(place, url);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const copied = await copyKey(place, folder, check);
      const root = join(resolve(place.dataDir), 'recordings');
      const disk = await diskNameOf(root);
      const rows = await copyDatabase(url, folder, disk, progress);
      return {
        tombstones: { key: await tombstoneKeyId(place, url) },
        secretKey: copied,
        database: rows.database,
        recordings: { ...(await copyRecordings(url, root, folder, progress)), disk, ...rows.elsewhere },
      };
    },
  );
  const manifest: Manifest = {
    format: 1,
    version,
    created_at: createdAt,
    database,
    recordings,
    tombstones,
    secret_key: secretKey,
  };
  const path = join(folder, MANIFEST);
  await writeFile(`${path}.part`, `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600, flush: true });
  await rename(`${path}.part`, path);
  return manifest;
}

/** The seal of the database's key; throws when the settings of this command do not have it. */
async function checkedKey(place: Place, url: string): Promise<Seal> {
  const database = openDatabase(url, { maxConnections: 1, applicationName: 'callwright cli' });
  try {
    return await verifiedSeal(database.kysely, place.secretKey, resolve(place.dataDir));
  } finally {
    await database.close();
  }
}

async function copyKey(place: Place, folder: string, check: string): Promise<Manifest['secret_key']> {
  if (place.secretKey !== null) return { check, sha256: null };
  const from = () => createReadStream(join(resolve(place.dataDir), KEY_FILE));
  return { check, sha256: (await writeHashed(join(folder, KEY_FILE), from)).sha256 };
}

/** File of the paths that the snapshot lists, until they are copied. */
const WANTED = 'recordings.wanted';

async function copyDatabase(
  url: string,
  folder: string,
  disk: string | null,
  progress: Progress,
): Promise<{
  database: Manifest['database'];
  elsewhere: { in_store: number; on_other_disks: number };
}> {
  const snapshot = await Snapshot.open(url);
  try {
    const migrations = await snapshot.migrations();
    if (migrations === null) throw new BackupFailure('The database has no installation yet.');
    const tables: Manifest['database']['tables'] = [];
    for (const table of await snapshot.tables()) {
      const copied = snapshot.rows(table);
      const gzip = createGzip({ level: GZIP_LEVEL });
      const { bytes, sha256 } = await writeHashed(tableFile(folder, table.name), () => copied, gzip);
      const rows = await snapshot.countOf(copied);
      tables.push({ name: table.name, columns: [...table.columns], rows, sha256 });
      if (rows > 0) progress(`table ${table.name}: ${rows} rows, ${sizeOf(bytes)}`);
    }
    const { inStore, elsewhere } = await snapshot.countRecordings(disk);
    await snapshot.recordingPaths(disk, createWriteStream(join(folder, WANTED), { mode: 0o600 }));
    return {
      database: { migrations, tables, sequences: await snapshot.sequences() },
      elsewhere: { in_store: inStore, on_other_disks: elsewhere },
    };
  } finally {
    await snapshot.close();
  }
}

type CopiedRecordings = Pick<
  Manifest['recordings'],
  'files' | 'bytes' | 'sha256' | 'missing' | 'moved_to_store'
>;

async function copyRecordings(
  url: string,
  root: string,
  folder: string,
  progress: Progress,
): Promise<CopiedRecordings> {
  const wanted = join(folder, WANTED);
  const list = createWriteStream(join(folder, RECORDINGS_LIST), { mode: 0o600 });
  const missing: string[] = [];
  let [files, bytes] = [0, 0];
  for await (const path of linesOf(wanted)) {
    const copied = RECORDING_PATH.test(path) ? await copyRecording(root, folder, path) : null;
    if (copied === null) {
      missing.push(path);
      continue;
    }
    files += 1;
    bytes += copied.bytes;
    list.write(`${copied.sha256}  ${path}\n`);
    if (files % PROGRESS_EVERY === 0) progress(`recordings: ${files}, ${sizeOf(bytes)}`);
  }
  await new Promise<void>((done, failed) =>
    list.end((error?: Error | null) => (error ? failed(error) : done())),
  );
  await rm(wanted);
  if (files > 0) progress(`recordings: ${files}, ${sizeOf(bytes)}`);
  const moved = missing.length === 0 ? [] : await movedToStore(url, missing);
  return {
    files,
    bytes,
    sha256: await hashOf(join(folder, RECORDINGS_LIST)),
    missing: missing.length - moved.length,
    moved_to_store: moved,
  };
}

/** Null when the file is gone: it was deleted, or uploaded, since the snapshot. */
async function copyRecording(
  root: string,
  folder: string,
  path: string,
): Promise<{ bytes: number; sha256: string } | null> {
  try {
    return await writeHashed(join(folder, 'recordings', path), () => createReadStream(join(root, path)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await rm(join(folder, 'recordings', path), { force: true });
    return null;
  }
}

export const sizeOf = (bytes: number): string =>
  bytes < 1e6
    ? `${Math.ceil(bytes / 1e3)} kB`
    : bytes < 1e9
      ? `${(bytes / 1e6).toFixed(1)} MB`
      : `${(bytes / 1e9).toFixed(1)} GB`;
