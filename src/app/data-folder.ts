import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { holderOf, takeFolder, type FolderLock, type Holder } from '../shared/folder-lock.ts';
import type { Log } from '../shared/log.ts';
import { StartFailure } from './start-failure.ts';

/** Folder of the lock in DATA_DIR: one process at a time owns a data folder. */
const LOCK = 'lock';
/** The task of the service; every other holder is a command, which ends by itself. */
const SERVICE = 'start';
const LOOK_MS = 500;

export const ownerOf = (dataDir: string): Promise<Holder | null> => holderOf(join(dataDir, LOCK));

const isService = ({ task }: Holder): boolean => task === SERVICE;
const named = ({ task, pid, host, since }: Holder): string =>
  `${task === SERVICE ? 'the service' : `callwright ${task}`}, process ${pid} on host ${host}, since ${since}`;

/** The sentence for a command or a start that another owner of the data folder stops. */
export const inUseBy = (dataDir: string, holder: Holder): string =>
  `DATA_DIR ${dataDir} is in use by ${named(holder)}. Nothing was changed. Stop that process first and wait for its ` +
  'end (after SIGTERM it waits for its live calls), or give this one a DATA_DIR of its own. If that process cannot ' +
  `be alive, delete ${join(dataDir, LOCK)}.`;

/** Errors of the system that a restart with the same DATA_DIR meets again. */
const LASTING = new Set(['EACCES', 'ENOENT', 'ENOTDIR', 'EPERM', 'EROFS']);

/** Runs `work` on the data folder; throws StartFailure where this user cannot write to it. */
async function usable<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (!LASTING.has(code)) throw error;
    const advice = 'Set DATA_DIR to a folder that this user can write to.';
    throw new StartFailure(`DATA_DIR ${dataDir} cannot be used: ${message}. ${advice}`, error, 2);
  }
}

/** Throws if a service owns the data folder now; changes nothing. */
export async function refuseOwned(dataDir: string): Promise<void> {
  const owner = await usable(dataDir, () => ownerOf(dataDir));
  if (owner !== null && isService(owner)) throw new StartFailure(inUseBy(dataDir, owner), null, 2);
}

/**
 * Makes this process the owner of the data folder before the start changes anything. Refused while another service owns
 * it; a command such as a backup ends by itself, so the start waits for it.
 */
export async function ownDataFolder(
  dataDir: string,
  log: Log,
  isStopping: () => boolean,
): Promise<FolderLock> {
  await usable(dataDir, () => mkdir(dataDir, { recursive: true, mode: 0o700 }));
  for (let waited = false; ; waited = true) {
    const taken = await usable(dataDir, () => takeFolder(join(dataDir, LOCK), SERVICE));
    if ('lock' in taken) return taken.lock;
    if (isService(taken.heldBy)) throw new StartFailure(inUseBy(dataDir, taken.heldBy), null, 2);
    if (!waited) {
      log.warn({ pid: taken.heldBy.pid }, 'the start waits for the end of a command that owns DATA_DIR');
    }
    await sleep(LOOK_MS);
    if (isStopping()) throw new StartFailure('the start was stopped', null);
  }
}

/** Runs `work` as the owner of the data folder. Null: another process owns it, and `work` did not run. */
export async function asOwner<T>(
  dataDir: string,
  task: string,
  work: () => Promise<T>,
): Promise<{ readonly done: T } | { readonly heldBy: Holder }> {
  const taken = await takeFolder(join(dataDir, LOCK), task);
  if ('heldBy' in taken) return taken;
  taken.lock.keep(
    () => undefined,
    () => undefined,
  );
  try {
    return { done: await work() };
  } finally {
    await taken.lock.release();
  }
}
