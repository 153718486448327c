import { errors } from '../../errors.ts';
import { systemScheduler, type Clock, type Scheduler } from '../../shared/clock.ts';
import { isUuid } from '../../shared/ids.ts';
import type { Release, Shares } from '../../shared/shares/shares.ts';
import type { Db, Tx } from '../../store/database.ts';
import { limitedTransaction } from '../../store/limited-transaction.ts';
import {
  findErasure,
  insertErasure,
  lockDueErasure,
  lockForErasure,
  saveErasure,
  type Erasure,
  awaitFiles,
  countAwaitedFiles,
  delayErasure,
} from '../../store/privacy/erasure.ts';
import { isTombstoneQueued } from '../../store/privacy/tombstones.ts';
import { nextList } from '../../store/privacy/erasure-lists.ts';
import { clearTalk } from '../../store/calls/talk-journal.ts';
import { stopQueued } from '../calls/stop-queued.ts';
import { stopMessages } from '../campaigns/messages/stop-messages.ts';
import { forgetUploads } from '../campaigns/import/upload-status.ts';
import { checkNumbers } from '../numbers/dialable-number.ts';
import { eraseEnded } from './erase-call.ts';
import { eraseChats } from './erase-chats.ts';
import { eraseFromList } from './erase-from-list.ts';
import { ErasurePlaces } from './erasure-places.ts';
import { findCalls } from './find-calls.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';

/** Calls per step, how many a step reads at least, and the wait of an erasure for live calls. */
const STEP = 10_000;
const LEAST_CALLS = 100;
const WAIT_MS = 5000;
/** How long a step may occupy its place: a workspace whose step hangs keeps it no longer. */
export const STEP_MS = 60_000;
/** Waits after failed steps; the last one repeats, because an erasure is never given up. */
const RETRY_AFTER_MS = [5_000, 30_000, 120_000, 600_000, 3_600_000];
const CANCELLED = { subStatus: 'USER_TERMINATED', withdraw: true };

/**
 * Requests the erasure of these numbers in calls to and from them and in contact lists. Cancels queued calls first;
 * live calls are erased when they end. The rest runs in the background and survives restarts. `within` runs in the
 * transaction that stores the request. Returns the number of cancelled calls.
 */
export async function requestErasure(
  deps: { db: Db; clock: Clock },
  workspaceId: string,
  change: ChangeEntry | null,
  request: { id: string; mobileNumbers: readonly string[] },
  within: (tx: Tx, cancelled: number) => Promise<void> = async () => undefined,
): Promise<number> {
  checkNumbers('mobile_numbers', request.mobileNumbers);
  const numbers = [...new Set(request.mobileNumbers)];
  const cancelled =
    (await stopQueued(deps, workspaceId, change, { numbers }, CANCELLED)) +
    (await stopMessages(deps, workspaceId, { numbers }, CANCELLED.subStatus));
  await commitChange(deps.db, change, async (tx) => {
    const row = { workspaceId, id: request.id, mobileNumbers: numbers };
    await insertErasure(tx, row, new Date(deps.clock.now()));
    await within(tx, cancelled);
  });
  return cancelled;
}

export interface ErasureProgress {
  readonly id: string;
  readonly status: 'running' | 'done';
  readonly erasedCalls: number;
  /** Calls that have not ended yet. */
  readonly waitingCalls: number;
  /** Recordings that are not deleted yet. */
  readonly waitingFiles: number;
  readonly requestedAt: Date;
  readonly doneAt: Date | null;
}

/** Throws 404 for an erasure of another workspace. */
export async function readErasure(
  deps: { db: Db },
  workspaceId: string,
  id: string,
): Promise<ErasureProgress> {
  const erasure = isUuid(id) ? await findErasure(deps.db, workspaceId, id) : null;
  if (erasure === null) throw errors.erasureNotFound();
  return {
    id: erasure.id,
    status: erasure.state === 'done' ? 'done' : 'running',
    erasedCalls: erasure.erasedCalls,
    waitingCalls: erasure.waiting.length,
    waitingFiles: await countAwaitedFiles(deps.db, erasure),
    requestedAt: erasure.requestedAt,
    doneAt: erasure.doneAt,
  };
}

export interface StepOptions {
  readonly places?: ErasurePlaces;
  /** Measures how long a step lasts. */
  readonly scheduler?: Scheduler;
  /** Gets the error of a step that failed. */
  readonly onFailure?: (error: unknown, erasure: Erasure) => void;
}

/**
 * Runs one step of the erasure that is next, in a place of its workspace. A step that fails or lasts longer than `STEP_MS` is
 * tried again later with fewer calls, so that it stops no other erasure. Returns false when none is due that may take a
 * place. Rejects when the database is away.
 */
export async function stepErasure(
  deps: { db: Db; clock: Clock },
  { places = new ErasurePlaces(1), scheduler = systemScheduler, onFailure = rethrow }: StepOptions = {},
): Promise<boolean> {
  const begun: Begun = { erasure: null, release: () => undefined };
  try {
    return await step(deps, places, scheduler, begun);
  } catch (error) {
    const { erasure } = begun;
    if (erasure === null) throw error;
    const waitMs = RETRY_AFTER_MS[Math.min(erasure.tries, RETRY_AFTER_MS.length - 1)] ?? 0;
    // Rejects, too, if the database is away: the step has then failed for that reason, and the erasure stays due.
    await delayErasure(deps.db, erasure, new Date(deps.clock.now() + waitMs));
    onFailure(error, erasure);
    return true;
  } finally {
    begun.release();
  }
}

function rethrow(error: unknown): never {
  throw error;
}

/** The erasure of a step, and its place. */
interface Begun {
  erasure: Erasure | null;
  release: Release;
}

/**
 * In one transaction: a contact list, or a page of calls once every list is done. Then cancels contacts that are still
 * queued.
 */
async function step(
  deps: { db: Db; clock: Clock },
  places: ErasurePlaces,
  scheduler: Scheduler,
  begun: Begun,
): Promise<boolean> {
  const waiting = await limitedTransaction(deps.db, { ms: STEP_MS, scheduler }, async (tx) => {
    const now = deps.clock.now();
    const erasure = await places.choose(() => choose(tx, places.shares, new Date(now), begun));
    if (erasure === null) return [];
    const isList = !erasure.listsDone && (await eraseNextList(tx, erasure, now));
    return isList ? [] : eraseNextCalls(tx, erasure, now);
  });
  const { erasure } = begun;
  if (erasure === null) return false;
  if (waiting.length > 0) await stopQueued(deps, erasure.workspaceId, null, { callIds: waiting }, CANCELLED);
  return true;
}

/** Locks the erasure that is next, and takes a place of its workspace. */
async function choose(tx: Tx, shares: Shares, now: Date, begun: Begun): Promise<Erasure | null> {
  const { free, parts } = shares;
  const erasure = await lockDueErasure(tx, now, { free, parts, shares: shares.list() });
  if (erasure !== null) begun.release = shares.enter(erasure.workspaceId);
  begun.erasure = erasure;
  return erasure;
}

/** Fewer after failures: a page that lasts too long must end some time. */
const callsOfStep = (tries: number): number => Math.max(LEAST_CALLS, Math.floor(STEP / 10 ** tries));

/** Returns false when no list is left. A list under import is retried later: its contacts are calls then. */
async function eraseNextList(tx: Tx, erasure: Erasure, now: number): Promise<boolean> {
  const list = await nextList(tx, erasure);
  if (list === null) return false;
  if (list.isRead) await eraseFromList(tx, list, erasure.mobileNumbers);
  else await forgetUploads(tx, now);
  await saveErasure(tx, erasure, {
    ...erasure,
    afterList: list.isRead ? list.id : erasure.afterList,
    erased: 0,
    found: false,
    dueAt: new Date(list.isRead ? now : now + WAIT_MS),
  });
  return true;
}

/**
 * Erases the ended calls of the next page and of the calls found before; returns the others. The erasure is done once
 * their files are deleted too and the list outside the backups has the numbers.
 */
async function eraseNextCalls(tx: Tx, erasure: Erasure, now: number): Promise<string[]> {
  const page = erasure.walked
    ? { ids: [], last: null }
    : await findCalls(tx, erasure, callsOfStep(erasure.tries));
  const found = [...erasure.waiting, ...page.ids];
  const { erased, waiting } = await erasePage(tx, erasure, found, new Date(now));
  if (page.last === null) await eraseChats(tx, erasure, new Date(now));
  const walked = erasure.walked || page.last === null;
  const isFound = walked && waiting.length === 0;
  const isDone =
    isFound && (await countAwaitedFiles(tx, erasure)) === 0 && !(await isTombstoneQueued(tx, erasure));
  await saveErasure(tx, erasure, {
    afterList: erasure.afterList,
    listsDone: true,
    afterCall: page.last ?? erasure.afterCall,
    walked,
    waiting,
    erased,
    found: isFound,
    dueAt: new Date(walked ? now + WAIT_MS : now),
    doneAt: isDone ? new Date(now) : null,
  });
  return waiting;
}

async function erasePage(
  tx: Tx,
  erasure: Erasure,
  ids: readonly string[],
  at: Date,
): Promise<{ erased: number; waiting: string[] }> {
  if (ids.length === 0) return { erased: 0, waiting: [] };
  const calls = await lockForErasure(tx, erasure.workspaceId, ids);
  const ended = calls.filter((call) => call.ended).map((call) => call.id);
  if (ended.length > 0) {
    await eraseEnded(tx, erasure.workspaceId, ended, at);
    await awaitFiles(tx, erasure, ended);
  }
  const waiting = calls.filter((call) => !call.ended).map((call) => call.id);
  // Later lines of a live call are erased with its end.
  if (waiting.length > 0) await clearTalk(tx, erasure.workspaceId, waiting);
  return { erased: ended.length, waiting };
}
