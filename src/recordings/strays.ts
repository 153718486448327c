import { opendir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../shared/clock.ts';
import { isUuid } from '../shared/ids.ts';
import type { Log } from '../shared/log.ts';
import { Poller } from '../shared/poller.ts';
import type { Db } from '../store/database.ts';
import { enterStray, findStrays, type NamedRecording } from '../store/recordings/strays.ts';
import type { Disk } from './disk.ts';
import { DERIVED } from './place.ts';
import { removeAll } from './recordings.ts';

export interface StrayOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly disk: Disk;
  readonly diskName: string;
}

const HOUR_MS = 3_600_000;
/** A file modified within this time may still be written to. */
const FRESH_MS = 60_000;
/** How long a file without a call is kept: the database may have been restored from an older backup. */
const GRACE_MS = 24 * HOUR_MS;
const BATCH = 200;

/**
 * Finds, at start and every hour, recordings on the disk without a database row; a crash between the answer and its
 * journal entry leaves them. A recording that belongs to a call gets a row and is then repaired, uploaded or deleted like
 * any other; a recording without a call is deleted.
 */
export function strayFinder(options: StrayOptions): Poller {
  const poller: Poller = new Poller({
    poll: () => sweepStrays(options, () => !poller.isStarted),
    pollMs: HOUR_MS,
    onError: (error) =>
      options.log.error({ err: error }, 'the search for recordings without a database row failed'),
  });
  return poller;
}

/** Scans the disk once; returns the ms until the next scan. */
export async function sweepStrays(options: StrayOptions, isStopped = () => false): Promise<number> {
  const { clock, disk, log } = options;
  await disk.sweepParts(clock.now());
  const swept = { entered: 0, removed: 0, waiting: 0, fresh: 0 };
  const batch: NamedRecording[] = [];
  const flush = async (): Promise<void> => {
    for (const stray of await findStrays(options.db, batch.splice(0))) {
      swept[await handle(options, stray)] += 1;
    }
  };
  for await (const recording of recordingsOf(options)) {
    if (isStopped()) return HOUR_MS;
    if (batch.push(recording) >= BATCH) await flush();
  }
  await flush();
  if (swept.entered + swept.removed > 0) log.warn(swept, 'recordings without a database row were found');
  return swept.fresh > 0 ? FRESH_MS : HOUR_MS;
}

async function handle(
  options: StrayOptions,
  stray: NamedRecording & { readonly isOfCall: boolean },
): Promise<'entered' | 'removed' | 'waiting' | 'fresh'> {
  const { db, clock, disk, diskName } = options;
  const found = await disk.find(stray.path);
  const ageMs = found === null ? 0 : clock.now() - found.modifiedAt.getTime();
  if (ageMs < FRESH_MS) return 'fresh';
  if (stray.isOfCall) {
    await enterStray(db, stray, diskName, new Date(clock.now()));
    return 'entered';
  }
  if (ageMs < GRACE_MS) return 'waiting';
  await removeAll(disk, stray.path);
  return 'removed';
}

const WAV = /^(.+)-(\d{1,4})\.wav$/;

/** Lists recordings by file name, and deletes derived files whose recording is gone. */
async function* recordingsOf({ clock, disk }: StrayOptions): AsyncGenerator<NamedRecording, void, undefined> {
  for await (const folder of await opendir(disk.root)) {
    if (!folder.isDirectory() || !isUuid(folder.name)) continue;
    const workspaceId = folder.name;
    for await (const { name } of await opendir(join(disk.root, workspaceId))) {
      const path = `${workspaceId}/${name}`;
      const [, callId = '', attempt = ''] = WAV.exec(name) ?? [];
      if (isUuid(callId)) yield { workspaceId, callId, attempt: Number(attempt), path };
      const ending = Object.values(DERIVED).find((extension) => name.endsWith(extension));
      if (ending === undefined) continue;
      const [wav, made] = [await disk.find(path.slice(0, -ending.length) + '.wav'), await disk.find(path)];
      if (wav === null && made !== null && clock.now() - made.modifiedAt.getTime() > HOUR_MS) {
        await rm(join(disk.root, path), { force: true });
      }
    }
  }
}
