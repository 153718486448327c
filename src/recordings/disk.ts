import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { randomToken } from '../shared/ids.ts';
import type { Found, Place } from './place.ts';

const PARTS = '.part';
const NAME = '.disk';
const STALE_PART_MS = 3_600_000;
/** Upper bound for a rename on a busy machine. */
const LONGEST_PUT_MS = 60_000;

/** Recordings in one folder. A path outside the folder counts as absent. */
export class Disk implements Place {
  readonly root: string;

  constructor(root: string) {
    this.root = resolve(root);
  }

  /** The folder's persistent random name. Processes that read the same name share the disk. */
  async name(): Promise<string> {
    const path = join(this.root, NAME);
    await mkdir(this.root, { recursive: true, mode: 0o700 });
    await writeFile(path, randomToken(20), { flag: 'wx', mode: 0o600 }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      },
    );
    return (await readFile(path, 'utf8')).trim();
  }

  /** Path for a file that is still being written. */
  async part(name: string): Promise<string> {
    const folder = join(this.root, PARTS);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return join(folder, name);
  }

  /** Removes part files of crashed processes. */
  async sweepParts(now: number): Promise<void> {
    const folder = join(this.root, PARTS);
    for (const name of await readdir(folder).catch(() => [])) {
      const stats = await stat(join(folder, name)).catch(() => null);
      if (stats !== null && now - stats.mtimeMs > STALE_PART_MS)
        await rm(join(folder, name), { force: true });
    }
  }

  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.root);
    return bavail * bsize;
  }

  async find(path: string): Promise<Found | null> {
    const full = this.inside(path);
    const stats = full === null ? null : await stat(full).catch(() => null);
    return stats === null || !stats.isFile() ? null : { bytes: stats.size, modifiedAt: stats.mtime };
  }

  stream(path: string, start: number, end: number): Readable {
    return createReadStream(this.#required(path), { start, end });
  }

  async put(path: string, from: string): Promise<void> {
    const full = this.#required(path);
    await mkdir(dirname(full), { recursive: true, mode: 0o700 });
    await rename(from, full);
  }

  longestPutMs(): number {
    return LONGEST_PUT_MS;
  }

  async remove(path: string): Promise<void> {
    const full = this.inside(path);
    if (full === null) return;
    await rm(full, { force: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTDIR') throw error;
    });
  }

  withLocal<T>(path: string, work: (local: string) => Promise<T>): Promise<T> {
    return work(this.#required(path));
  }

  /** The absolute path; null if it is outside the folder. */
  inside(path: string): string | null {
    const full = resolve(this.root, path);
    const inner = relative(this.root, full);
    return inner === '' || inner.startsWith('..') || isAbsolute(inner) ? null : full;
  }

  #required(path: string): string {
    const full = this.inside(path);
    if (full === null) throw new Error('a recording path is outside the recordings folder');
    return full;
  }
}
