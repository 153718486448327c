import { createReadStream } from 'node:fs';
import { copyFile, mkdir, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { TombstoneList } from '../domain/privacy/tombstones.ts';
import { newId } from '../shared/ids.ts';
import type { Disk } from './disk.ts';
import type { Place } from './place.ts';

/** The list below DATA_DIR, where recordings stay on the disk. */
export const TOMBSTONES_FILE = 'tombstones.jsonl';

/** A list that a restore can read back. */
export interface ReadableList extends TombstoneList {
  /** Creates the empty list of a new installation. */
  create(): Promise<void>;
  exists(): Promise<boolean>;
  /** The lines that may have been added since, in their order. */
  lines(since: Date, now: Date): AsyncIterable<string>;
}

/** The list in one file, which only grows. */
export class TombstoneFile implements ReadableList {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async append(lines: readonly string[]): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    const file = await open(this.#path, 'a', 0o600);
    try {
      // A crash may have left the last line unfinished: a new one begins in any case.
      await file.appendFile(`\n${lines.join('\n')}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  async create(): Promise<void> {
    if (!(await this.exists())) await this.append([]);
  }

  exists(): Promise<boolean> {
    return stat(this.#path).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return false;
        throw error;
      },
    );
  }

  async *lines(): AsyncIterable<string> {
    if (!(await this.exists())) return;
    const lines = createInterface({
      input: createReadStream(this.#path),
      crlfDelay: Number.POSITIVE_INFINITY,
    });
    for await (const line of lines) if (line !== '') yield line;
  }
}

const FOLDER = 'tombstones';
/** Shows that the store has a list, also while nothing was added. */
const BEGUN = `${FOLDER}/list.json`;
const TYPE = 'application/x-ndjson';
const HOUR_MS = 3_600_000;
const HOUR_CHARS = 'yyyy-mm-ddThh'.length;

/** The list in an object store: one object an hour, because a store cannot add to an object. */
export class TombstoneObjects implements ReadableList {
  readonly #store: Place;
  readonly #disk: Disk;

  /** `disk` holds copies while they are written. */
  constructor(store: Place, disk: Disk) {
    this.#store = store;
    this.#disk = disk;
  }

  async append(lines: readonly string[], at: number): Promise<void> {
    const path = objectOf(at);
    const local = await this.#disk.part(`${newId()}.jsonl`);
    const text = `${lines.join('\n')}\n`;
    if ((await this.#store.find(path)) === null) await writeFile(local, text, { mode: 0o600 });
    else {
      await this.#store.withLocal(path, async (before) => {
        await copyFile(before, local);
        await writeFile(local, text, { flag: 'a' });
      });
    }
    await this.#put(path, local);
  }

  async create(): Promise<void> {
    if (await this.exists()) return;
    const local = await this.#disk.part(`${newId()}.json`);
    await writeFile(local, '{}\n', { mode: 0o600 });
    await this.#put(BEGUN, local);
  }

  async exists(): Promise<boolean> {
    return (await this.#store.find(BEGUN)) !== null;
  }

  async *lines(since: Date, now: Date): AsyncIterable<string> {
    for (let at = since.getTime(); at < now.getTime() + HOUR_MS; at += HOUR_MS) {
      const path = objectOf(at);
      if ((await this.#store.find(path)) === null) continue;
      const text = await this.#store.withLocal(path, (local) => readFile(local, 'utf8'));
      yield* text.split('\n').filter((line) => line !== '');
    }
  }

  async #put(path: string, local: string): Promise<void> {
    try {
      await this.#store.put(path, local, TYPE);
    } finally {
      await rm(local, { force: true });
    }
  }
}

const objectOf = (at: number): string => `${FOLDER}/${new Date(at).toISOString().slice(0, HOUR_CHARS)}.jsonl`;
