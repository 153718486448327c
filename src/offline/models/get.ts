import { link, copyFile, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { takeFolder, type FolderLock } from '../../shared/folder-lock.ts';
import { CATALOGUE, filesHere, modelOf, type CatalogueModel, type ModelFile } from './catalogue.ts';
import { folderOf, installedModel, MARKER, readMarker, type MarkedFile, type Marker } from './installed.ts';
import { asModelError, ModelError } from './model-error.ts';
import { nameOf, Sources } from './sources.ts';
import { hashOfFile } from './write-hashed.ts';
import { unpack } from './unpack.ts';

export interface Progress {
  readonly id: string;
  /** The file that is fetched. */
  readonly file: string;
  readonly source: string;
  /** Bytes of the model that are complete, of all. */
  readonly done: number;
  readonly total: number;
}
export interface GetOptions {
  readonly modelsDir: string;
  readonly mirror: string | null;
  /** Bytes that stay free on the disk. */
  readonly floorBytes: number;
  readonly catalogue?: readonly CatalogueModel[];
  readonly signal?: AbortSignal;
  readonly stallMs?: number;
  readonly onProgress?: (progress: Progress) => void;
  /** What an operator should know although the get goes on: a source that failed, a hash that was recorded. */
  readonly onNote?: (note: string) => void;
}
const STALL_MS = 30_000;
/** Folders that are no models: downloads under way, models that are put together, the lock. */
export const WORK = '.work';

/**
 * Fetches a model into its folder, or what is missing or wrong of it. The folder appears at once, when every file has its
 * hash. One process of the machine fetches at a time; what a get that failed had fetched, the next one uses.
 */
export async function getModel(id: string, options: GetOptions): Promise<void> {
  const { modelsDir, catalogue = CATALOGUE } = options;
  const model = modelOf(id, catalogue);
  if (model === undefined) {
    const known = catalogue.map((one) => one.id).join(', ');
    throw new ModelError('unknown', `${id} is not in the catalogue`, `choose one of ${known}`);
  }
  if (filesHere(model).length === 0) {
    throw new ModelError(
      'unknown',
      `${id} has no files for ${process.platform} on ${process.arch}`,
      'use another engine',
    );
  }
  try {
    await exclusively(modelsDir, () => fetchInto(model, options));
  } catch (error) {
    throw asModelError(error, modelsDir);
  }
}

/** Runs as the one writer of the folder. */
export async function exclusively<T>(modelsDir: string, work: () => Promise<T>): Promise<T> {
  const taken = await takeFolder(join(modelsDir, WORK, 'lock'), 'models');
  if ('heldBy' in taken) {
    const { pid, host, since } = taken.heldBy;
    throw new ModelError(
      'held',
      `process ${pid} on ${host} has been changing ${modelsDir} since ${since}`,
      'wait until it has ended, then run this again',
    );
  }
  const lock: FolderLock = taken.lock;
  lock.keep(
    () => undefined,
    () => undefined,
  );
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

async function fetchInto(model: CatalogueModel, options: GetOptions): Promise<void> {
  const { modelsDir, mirror, signal = new AbortController().signal, stallMs = STALL_MS, catalogue } = options;
  if (installedModel(modelsDir, model.id, catalogue) !== null) return;
  const folder = folderOf(modelsDir, model.id);
  const staging = join(modelsDir, WORK, 'models', model.id);
  await mkdir(staging, { recursive: true });
  const files = filesHere(model);
  const missing: ModelFile[] = [];
  for (const file of files) if (!(await takeOver(file, [staging, folder], staging))) missing.push(file);
  await requireSpace(missing, options);
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = total - missing.reduce((sum, { bytes }) => sum + bytes, 0);
  let current = { file: '', source: '' };
  const tell = (bytes: number): void =>
    options.onProgress?.({ id: model.id, ...current, done: Math.min(total, done + bytes), total });
  const sources = new Sources({
    folder: join(modelsDir, WORK, 'downloads'),
    mirror,
    signal,
    stallMs,
    onFetch: (source) => {
      current = { ...current, source };
      tell(0);
    },
    onBytes: tell,
  });
  const recorded: Record<string, string> = { ...readMarker(folder)?.recorded };
  try {
    for (const file of missing) {
      current = { ...current, file: file.name };
      recorded[file.name] = await fetchFile(model, file, join(staging, file.name), sources, options);
      done += file.bytes;
    }
    for (const file of files) if (file.isUnpacked === true) await unpack(join(staging, file.name), staging);
  } catch (error) {
    const failed = asModelError(error, modelsDir);
    // A full disk harms others: the space matters more than the bytes.
    if (failed.kind === 'full') await rm(join(modelsDir, WORK), { recursive: true, force: true });
    throw failed;
  }
  await writeMarker(model, staging, recorded);
  await replace(staging, folder);
  await sources.close();
}

/** Fetches a file from the first source that has the right one; returns its hash. */
async function fetchFile(
  model: CatalogueModel,
  file: ModelFile,
  path: string,
  sources: Sources,
  { modelsDir, onNote }: GetOptions,
): Promise<string> {
  const failures: ModelError[] = [];
  for (const source of sources.of(model, file)) {
    try {
      const { sha256 } = await sources.write(source, file, path);
      if (file.sha256 === null) {
        onNote?.(`${model.id} is unpinned: the hash of ${file.name} is now ${sha256}`);
        return sha256;
      }
      if (sha256 === file.sha256) return sha256;
      throw new ModelError(
        'wrong',
        `${nameOf(source)} has another ${file.name}: its hash is ${sha256}`,
        'get it again, or use another source or MODELS_MIRROR',
      );
    } catch (error) {
      const failure = asModelError(error, modelsDir);
      await rm(path, { force: true });
      if (failure.kind === 'wrong' || failure.kind === 'broken') await sources.forget(source);
      if (failure.kind === 'full' || failure.kind === 'stopped') throw failure;
      if (!failures.some(({ message }) => message === failure.message)) failures.push(failure);
    }
  }
  const [worst] = failures;
  throw new ModelError(
    worst?.kind ?? 'unreachable',
    `${model.id}: no source has ${file.name}: ${failures.map(({ message }) => message).join('; ')}`,
    worst?.advice ?? 'set MODELS_MIRROR',
  );
}

/** Takes a file that an earlier get left, if its hash is right. */
async function takeOver(file: ModelFile, folders: readonly string[], staging: string): Promise<boolean> {
  if (file.sha256 === null) return false;
  for (const folder of folders) {
    const path = join(folder, file.name);
    const { size } = await stat(path).catch(() => ({ size: -1 }));
    if (size !== file.bytes || (await hashOfFile(path)) !== file.sha256) continue;
    const target = join(staging, file.name);
    if (path === target) return true;
    await mkdir(dirname(target), { recursive: true });
    await rm(target, { force: true });
    await link(path, target).catch(() => copyFile(path, target));
    return true;
  }
  return false;
}

/** The archive and its content lie side by side for a while. */
async function requireSpace(
  missing: readonly ModelFile[],
  { modelsDir, floorBytes }: GetOptions,
): Promise<void> {
  const needed = 2 * missing.reduce((sum, { bytes }) => sum + bytes, 0);
  const { bavail, bsize } = await statfs(modelsDir);
  const free = bavail * bsize;
  if (needed === 0 || free >= needed + floorBytes) return;
  const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1_000_000)} MB`;
  throw new ModelError(
    'full',
    `${modelsDir} needs ${megabytes(needed)} of free space beside the ${megabytes(floorBytes)} of DISK_FLOOR_MB and has ${megabytes(free)}`,
    'free some space, or let MODELS_DIR name a folder on another disk',
  );
}

async function writeMarker(
  model: CatalogueModel,
  staging: string,
  recorded: Record<string, string>,
): Promise<void> {
  const names = (await readdir(staging, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(staging.length + 1))
    .filter((name) => name !== MARKER);
  const files: MarkedFile[] = [];
  for (const name of names.toSorted()) {
    const path = join(staging, name);
    const { size, mtimeMs } = await stat(path);
    const sha256 =
      filesHere(model).find((file) => file.name === name)?.sha256 ?? (await hashOfFile(path)) ?? '';
    files.push({ name, bytes: size, sha256, mtimeMs });
  }
  const unpinned = new Set(
    filesHere(model)
      .filter(({ sha256 }) => sha256 === null)
      .map(({ name }) => name),
  );
  const marker: Marker = {
    id: model.id,
    files,
    recorded: Object.fromEntries(Object.entries(recorded).filter(([name]) => unpinned.has(name))),
  };
  const file = await open(join(staging, MARKER), 'w');
  try {
    await file.writeFile(`${JSON.stringify(marker, null, 1)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Puts the new folder in the place of the old one. Between the two renames the model is absent, never half. */
async function replace(staging: string, folder: string): Promise<void> {
  const old = `${staging}.old`;
  await rm(old, { recursive: true, force: true });
  await rename(folder, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(staging, folder);
  await rm(old, { recursive: true, force: true });
}
