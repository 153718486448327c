import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/** Names the folder of the process to every thread that starts after it was opened. */
const KEY = 'callwright scratch folder';
/** The folder below DATA_DIR that holds one folder for each process. */
const FOLDER = 'scratch';
/** Whether a process on another host still runs is unknown, so its folder stays for a day after its last change. */
const STALE_MS = 86_400_000;

/** Folders that this process has open. */
const open = new Set<string>();

/** The scratch folder of a process. */
export interface Scratch {
  readonly path: string;
  /** Removes the folder with everything in it. */
  close(): void;
}

/**
 * Creates the folder for the temporary files of this process below DATA_DIR, where only its user can read and write, and
 * removes the folders of processes that have ended. Call before the first thread starts. Throws when DATA_DIR cannot be
 * written.
 */
export function openScratch(dataDir: string, now: number = Date.now()): Scratch {
  const parent = join(dataDir, FOLDER);
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(parent)) {
    const path = join(parent, name);
    if (isAbandoned(path, name, now)) rmSync(path, { recursive: true, force: true });
  }
  const path = mkdtempSync(join(parent, `${ownHost()}.${process.pid}.`));
  open.add(path);
  setEnvironmentData(KEY, path);
  return {
    path,
    close: () => {
      open.delete(path);
      if (getEnvironmentData(KEY) === path) setEnvironmentData(KEY, [...open].at(-1));
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/**
 * A new folder for the files of one purpose; its owner removes it. Without an open scratch folder, as in a command that
 * has no data folder, it lies in the system's folder for temporary files, under a name that cannot be guessed.
 */
export function scratchFolder(purpose: string): string {
  const ours = ownScratch();
  if (ours === null) return mkdtempSync(join(tmpdir(), `callwright-${purpose}-`));
  // An operator may have emptied the data folder's scratch files.
  mkdirSync(ours, { recursive: true, mode: 0o700 });
  return mkdtempSync(join(ours, `${purpose}-`));
}

/** The folder of this process; null: none is open. */
export function ownScratch(): string | null {
  const path = getEnvironmentData(KEY);
  return typeof path === 'string' ? path : null;
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
  return Number(pid) === process.pid ? !open.has(path) : !isRunning(Number(pid));
}

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
