import { link, mkdir, open, readdir, readFile, rm, stat, type FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { everyAligned } from './aligned.ts';
import { randomToken } from './ids.ts';
import { pidScope, startOf, stillRuns } from './processes.ts';

/** The process that holds a folder. */
export interface Holder {
  readonly host: string;
  readonly pid: number;
  /** Distinguishes processes that reuse the pid. */
  readonly start: string;
  /** Where the pid counts: kernel and pid namespace. */
  readonly scope: string;
  /** What it does, such as `start` or `backup`. */
  readonly task: string;
  /** ISO 8601. */
  readonly since: string;
}

export interface LockTimes {
  /** How often the holder writes to its file, which only processes of another host or container need. */
  readonly beatMs: number;
  /** A holder in another scope whose file did not change for so long is dead. */
  readonly leaseMs: number;
}
const TIMES: LockTimes = { beatMs: 5_000, leaseMs: 20_000 };
const LOOK_MS = 100;

export type Taken = { readonly lock: FolderLock } | { readonly heldBy: Holder };

interface Entry {
  readonly number: number;
  readonly path: string;
  /** Null: released, or unreadable because the machine stopped before the text reached the disk. */
  readonly holder: Holder | null;
}

/**
 * Takes the folder for this process, unless another one holds it. The lock is the numbered file with the highest number;
 * a process takes a free folder by creating the next number, which succeeds for one of several takers. The highest number
 * never decreases: a release adds a file that names no holder, and only lower numbers are deleted.
 */
export async function takeFolder(folder: string, task: string, times: LockTimes = TIMES): Promise<Taken> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const holder: Holder = {
    host: hostname(),
    pid: process.pid,
    start: await startOf(process.pid),
    scope: await pidScope(),
    task,
    since: new Date().toISOString(),
  };
  for (;;) {
    const last = await highest(folder);
    if (last?.holder != null && (await isHeld(last, last.holder, folder, times))) {
      if ((await highest(folder))?.number === last.number) return { heldBy: last.holder };
      continue;
    }
    const mine = await create(folder, (last?.number ?? 0) + 1, holder);
    // A taker that decided on an old view may have created a number that was deleted meanwhile.
    if (mine !== null && (await highest(folder))?.number === mine.number) {
      await removeBelow(folder, mine.number);
      return { lock: new FolderLock(folder, mine, times) };
    }
    if (mine !== null) await rm(mine.path, { force: true });
  }
}

/** The process that holds the folder now; null: none. Changes nothing. */
export async function holderOf(folder: string, times: LockTimes = TIMES): Promise<Holder | null> {
  const last = await highest(folder);
  if (last?.holder == null) return null;
  return (await isHeld(last, last.holder, null, times)) ? last.holder : null;
}

/** A folder that this process holds. */
export class FolderLock {
  readonly #folder: string;
  readonly #times: LockTimes;
  #entry: Entry;
  /** Its file, from the first heartbeat on. */
  #file: FileHandle | null = null;
  #stopBeating: (() => void) | null = null;
  #beating: Promise<void> | null = null;

  constructor(folder: string, entry: Entry, times: LockTimes) {
    this.#folder = folder;
    this.#entry = entry;
    this.#times = times;
  }

  /** Writes the heartbeat. `onLost` runs once when another process has taken the folder, `onError` for other failures. */
  keep(onLost: () => void, onError: (error: unknown) => void): void {
    this.#stopBeating = everyAligned(this.#times.beatMs, () => {
      this.#beating ??= this.#beat()
        .then(async (isOurs) => {
          if (isOurs || this.#stopBeating === null) return;
          this.#stop();
          await this.#forgetFile();
          onLost();
        }, onError)
        .finally(() => {
          this.#beating = null;
        });
    });
  }

  /** Frees the folder, unless another process has taken it. */
  async release(): Promise<void> {
    this.#stop();
    await this.#beating;
    await this.#forgetFile();
    if ((await highest(this.#folder))?.number !== this.#entry.number) return;
    const free = await create(this.#folder, this.#entry.number + 1, null);
    if (free !== null) await removeBelow(this.#folder, free.number);
  }

  #stop(): void {
    this.#stopBeating?.();
    this.#stopBeating = null;
  }

  async #forgetFile(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close().catch(() => undefined);
  }

  /** Two calls of the file system: each wakes this thread and another one. */
  async #beat(): Promise<boolean> {
    const last = await highestNumber(this.#folder);
    if (last === null) {
      // Somebody deleted the files: whoever writes the next one first holds the folder.
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const again = await create(this.#folder, this.#entry.number + 1, this.#entry.holder);
      if (again === null) return false;
      await this.#forgetFile();
      this.#entry = again;
      return true;
    }
    if (last !== this.#entry.number) return false;
    this.#file ??= await open(this.#entry.path, 'r+');
    // Writing sets the time of change by the clock of the file system, which every host sees alike.
    try {
      await this.#file.write('{', 0);
    } catch (error) {
      await this.#forgetFile();
      throw error;
    }
    return true;
  }
}

const isNumber = (name: string): boolean => /^\d{1,15}$/.test(name);

async function highestNumber(folder: string): Promise<number | null> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const numbers = names.filter(isNumber).map(Number);
  return numbers.length === 0 ? null : Math.max(...numbers);
}

async function highest(folder: string): Promise<Entry | null> {
  for (;;) {
    const number = await highestNumber(folder);
    if (number === null) return null;
    const path = join(folder, String(number));
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    // Deleted meanwhile: a higher number exists.
    if (text !== null) return { number, path, holder: parse(text) };
  }
}

function parse(text: string): Holder | null {
  try {
    const { host, pid, start, scope, task, since } = JSON.parse(text) as Holder;
    const isWhole = [host, start, scope, task, since].every((part) => typeof part === 'string');
    return isWhole && Number.isInteger(pid) && pid > 0 ? { host, pid, start, scope, task, since } : null;
  } catch {
    return null;
  }
}

/** Creates the file of a number with its whole text at once; null: the number is taken. */
async function create(folder: string, number: number, holder: Holder | null): Promise<Entry | null> {
  const draft = join(folder, `${randomToken(12)}.new`);
  const path = join(folder, String(number));
  try {
    await writeThrough(draft, `${JSON.stringify(holder ?? { released: true })}\n`);
    await link(draft, path);
    return { number, path, holder };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeThrough(path: string, text: string): Promise<void> {
  const file: FileHandle = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function removeBelow(folder: string, number: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (isNumber(name) && Number(name) < number) await rm(join(folder, name), { force: true });
  }
}

/**
 * In this process's scope, pid and start time decide. In another one only the heartbeat can: the file is watched until it
 * changes or the lease is over. `probeFolder`: where a file may be written to read the file system's clock.
 */
async function isHeld(
  { path }: Entry,
  holder: Holder,
  probeFolder: string | null,
  times: LockTimes,
): Promise<boolean> {
  if (holder.scope === (await pidScope())) return stillRuns(holder.pid, holder.start);
  const changedAt = await changeOf(path);
  if (probeFolder !== null && (await clockOf(probeFolder)) - changedAt > times.leaseMs) return false;
  const until = performance.now() + times.leaseMs;
  while (performance.now() < until) {
    await sleep(LOOK_MS);
    if ((await changeOf(path)) !== changedAt) return true;
  }
  return false;
}

/** When the file changed, in ms; -1: it does not exist. */
const changeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => -1,
  );

/** The clock of the folder's file system, in ms. */
async function clockOf(folder: string): Promise<number> {
  const path = join(folder, `${randomToken(12)}.new`);
  try {
    await writeThrough(path, '');
    return (await stat(path)).mtimeMs;
  } finally {
    await rm(path, { force: true });
  }
}
