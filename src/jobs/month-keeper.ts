import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { Poller } from '../shared/poller.ts';
import type { Db } from '../store/database.ts';
import { firstKept } from '../store/months/month.ts';
import {
  addMonths,
  deleteRecordings,
  dropBefore,
  hasOpenCalls,
  noteOpenSince,
  partsOfCalls,
  type Part,
} from '../store/months/upkeep.ts';

const HOUR_MS = 3_600_000;
/** Between two looks whether the files of queued recordings are gone. */
const FILES_MS = 5_000;
/** Recordings of one workspace queued at a time. */
const BATCH = 500;

export interface MonthKeeperDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** Whole months that are kept beside the current one; 0: all. */
  readonly keepMonths: number;
}

/**
 * Adds the tables of coming months to a database that is split by month, notes for the claims since when calls wait, and drops months
 * that are too old.
 */
export function monthKeeper(deps: MonthKeeperDeps): Poller {
  return new Poller({
    poll: async () => ((await keepMonths(deps)) === 'files' ? FILES_MS : HOUR_MS),
    pollMs: HOUR_MS,
    onError: (error) =>
      deps.log.error({ err: error }, 'the months of calls could not be kept up; trying again'),
  });
}

/** One look; 'files': recordings of a month that ends are still on a disk or in the store. */
export async function keepMonths(deps: MonthKeeperDeps): Promise<'done' | 'files'> {
  const { db, clock, log, keepMonths: keep } = deps;
  const now = new Date(clock.now());
  const parts = await partsOfCalls(db);
  if (parts.length === 0) {
    if (keep > 0) log.warn('KEEP_CALLS_MONTHS drops nothing before callwright split-months has run');
    return 'done';
  }
  await addMonths(db, now);
  await noteOpenSince(db, now);
  if (keep === 0) return 'done';
  const kept = firstKept(now, keep);
  const last = await lastOf(
    parts.filter(({ until }) => until <= kept),
    deps,
  );
  if (last === null) return 'done';
  if ((await deleteRecordings(db, last.until, now, BATCH)) > 0) return 'files';
  await dropBefore(db, last.until, now);
  log.info({ month: last.until }, 'all calls from before this month were dropped');
  return 'done';
}

/** The newest of the old parts up to which no call waits or is live. */
async function lastOf(old: readonly Part[], { db, log }: MonthKeeperDeps): Promise<Part | null> {
  let last: Part | null = null;
  for (const part of old) {
    if (await hasOpenCalls(db, part)) {
      log.warn(
        { month: part.until },
        'the calls from before this month are kept, because some wait or are live',
      );
      break;
    }
    last = part;
  }
  return last;
}
