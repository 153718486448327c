import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/** Names the folders of the process to every thread that starts after they were opened. */
const KEY = 'callwright scratch folders';
/** The folder below DATA_DIR that holds one folder for each process. */
const FOLDER = 'scratch';
/** A file system in memory. */
const MEMORY = '/dev/shm';
/** Least free space of a place that is used. All speech engines of a process together need less at a time. */
const LEAST_BYTES = 32 * 1_048_576;
/** Whether a process on another host still runs is unknown, so its folder stays for a day after its last change. */
const STALE_MS = 86_400_000;

/** The folders of each open scratch of this process. */
const open = new Set<readonly string[]>();

/** The scratch folders of a process. */
export interface Scratch {
  /** In memory, then below DATA_DIR; without a place that cannot be written. */
  readonly paths: readonly string[];
  /** Removes the folders with everything in them. */
  close(): void;
}

/**
 * Creates the folders for the temporary files of this process, in memory and below DATA_DIR, where only its user can read
 * and write, and removes those of processes that have ended. Call before the first thread starts. Throws when neither
 * place can be written.
 */
export function openScratch(
  dataDir: string,
  { now = Date.now(), memory = MEMORY }: { readonly now?: number; readonly memory?: string } = {},
): Scratch {
  const errors: unknown[] = [];
  const places = [...(existsSync(memory) ? [inMemory(memory, dataDir)] : []), join(dataDir, FOLDER)];
  const paths = places.flatMap((parent) => {
    try {
      return [openBelow(parent, now)];
    } catch (error) {
      errors.push(error);
      return [];
    }
  });
  if (paths.length === 0) throw errors.at(-1);
  open.add(paths);
  setEnvironmentData(KEY, paths);
  return {
    paths,
    close: () => {
      open.delete(paths);
      if (getEnvironmentData(KEY) === paths) setEnvironmentData(KEY, [...open].at(-1));
      for (const path of paths) {
        rmSync(path, { recursive: true, force: true });
        // A stopped installation leaves no folder in memory.
        if (path.startsWith(memory)) removeEmpty(dirname(path));
      }
    },
  };
}

/**
 * A new folder for the files of one purpose; its owner removes it. Without an open scratch folder, as in a command that
 * has no data folder, and when memory and the data folder's disk are full, it lies in the system's folder for temporary
 * files, under a name that cannot be guessed. `bytes`: the space that it needs.
 */
export function scratchFolder(purpose: string, bytes = LEAST_BYTES): string {
  const ours = ownScratch(bytes);
  if (ours === null) return mkdtempSync(join(tmpdir(), `callwright-${purpose}-`));
  return mkdtempSync(join(ours, `${purpose}-`));
}

/** The folders for the files of one purpose: at most one in each place, made when it is the first place with free space. */
export class ScratchFolders {
  readonly #purpose: string;
  readonly #byPlace = new Map<string | null, string>();

  constructor(purpose: string) {
    this.#purpose = purpose;
  }

  /** The folder to write to now. Throws when no place can be written. */
  get path(): string {
    const place = ownScratch();
    const known = this.#byPlace.get(place);
    if (known !== undefined) return known;
    const made = scratchFolder(this.#purpose);
    this.#byPlace.set(place, made);
    return made;
  }

  close(): void {
    for (const path of this.#byPlace.values()) rmSync(path, { recursive: true, force: true });
  }
}

/** The folder of this process in the first place with free space; null: none is open, or all places are full. */
export function ownScratch(bytes = LEAST_BYTES): string | null {
  const paths = getEnvironmentData(KEY);
  if (!Array.isArray(paths)) return null;
  return (paths as readonly string[]).find((path) => hasSpace(path, bytes)) ?? null;
}

function hasSpace(path: string, bytes: number): boolean {
  try {
    // An operator may have emptied DATA_DIR/scratch, and systemd empties /dev/shm when the user's last session ends.
    if (statSync(path, { throwIfNoEntry: false }) === undefined) makeAgain(path);
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize >= bytes;
  } catch {
    return false;
  }
}

/** The folder of this installation in memory, which all installations of the machine share: named after user and data folder. */
function inMemory(memory: string, dataDir: string): string {
  const installation = createHash('sha256')
    .update(`${process.getuid?.() ?? 0} ${dataDir}`)
    .digest('hex');
  return join(memory, `callwright-${installation.slice(0, 16)}`);
}

function openBelow(parent: string, now: number): string {
  makeParent(parent);
  for (const name of readdirSync(parent)) {
    const path = join(parent, name);
    if (isAbandoned(path, name, now)) rmSync(path, { recursive: true, force: true });
  }
  return mkdtempSync(join(parent, `${ownHost()}.${process.pid}.`));
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Another process of the installation has its folder there.
  }
}

/** Several threads may do so at once. */
function makeAgain(path: string): void {
  makeParent(dirname(path));
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** Creates the folder of an installation. Throws if every user may write its parent and another one created it first. */
function makeParent(parent: string): void {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const isShared = (statSync(dirname(parent)).mode & 0o002) !== 0;
  if (!isShared) return;
  const found = lstatSync(parent);
  const isOurs = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
  if (!isOurs) throw new Error(`${parent} belongs to another user`);
}

/** A dot separates the parts of a folder's name. */
const ownHost = (): string => hostname().replaceAll(/[^\w-]/g, '_');

function isAbandoned(path: string, name: string, now: number): boolean {
  const [host, pid = ''] = name.split('.');
  if (host !== ownHost()) {
    const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    return changedAt !== undefined && now - changedAt > STALE_MS;
  }
  // A container's process often has the same id after every start, so a folder with our id may be an earlier process's.
  return Number(pid) === process.pid ? !isOpen(path) : !isRunning(Number(pid));
}

const isOpen = (path: string): boolean => [...open].some((paths) => paths.includes(path));

/** Whether a process exists, under any user. */
function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
