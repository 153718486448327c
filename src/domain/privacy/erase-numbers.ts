import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid } from '../../shared/ids.ts';
import { Shares, type Release } from '../../shared/shares/shares.ts';
import type { Db, Tx } from '../../store/database.ts';
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
import { isTransient } from '../../store/transient.ts';
import { nextList } from '../../store/privacy/erasure-lists.ts';
import { clearTalk } from '../../store/calls/talk-journal.ts';
import { stopQueued } from '../calls/stop-queued.ts';
import { stopMessages } from '../campaigns/messages/stop-messages.ts';
import { forgetUploads } from '../campaigns/import/upload-status.ts';
import { checkNumbers } from '../numbers/dialable-number.ts';
import { eraseEnded } from './erase-call.ts';
import { eraseChats } from './erase-chats.ts';
import { eraseFromList } from './erase-from-list.ts';
import { findCalls } from './find-calls.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';

/** Calls per step, and the wait of an erasure for live calls. */
const STEP = 10_000;
const WAIT_MS = 5000;
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

/**
 * Runs one step of the erasure that is next, in a place of its workspace. A step that fails is tried again later, so that it
 * stops no other erasure; `onFailure` gets its error. Returns false when none is due that may take a place. Rejects when the
 * database is away.
 */
export async function stepErasure(
  deps: { db: Db; clock: Clock },
  shares: Shares = new Shares({ places: 1, parts: 1 }),
  onFailure: (error: unknown, erasure: Erasure) => void = (error) => {
    throw error;
  },
): Promise<boolean> {
  const begun: Begun = { erasure: null, release: () => undefined };
  try {
    return await step(deps, shares, begun);
  } catch (error) {
    const { erasure } = begun;
    if (erasure === null || isTransient(error)) throw error;
    const waitMs = RETRY_AFTER_MS[Math.min(erasure.tries, RETRY_AFTER_MS.length - 1)] ?? 0;
    await delayErasure(deps.db, erasure, new Date(deps.clock.now() + waitMs));
    onFailure(error, erasure);
    return true;
  } finally {
    begun.release();
  }
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
async function step(deps: { db: Db; clock: Clock }, shares: Shares, begun: Begun): Promise<boolean> {
  const waiting = await deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now();
    const { free, parts } = shares;
    const erasure = await lockDueErasure(tx, new Date(now), { free, parts, shares: shares.list() });
    begun.erasure = erasure;
    if (erasure === null) return [];
    begun.release = shares.enter(erasure.workspaceId);
    const isList = !erasure.listsDone && (await eraseNextList(tx, erasure, now));
    return isList ? [] : eraseNextCalls(tx, erasure, now);
  });
  const { erasure } = begun;
  if (erasure === null) return false;
  if (waiting.length > 0) await stopQueued(deps, erasure.workspaceId, null, { callIds: waiting }, CANCELLED);
  return true;
}

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
  const page = erasure.walked ? { ids: [], last: null } : await findCalls(tx, erasure, STEP);
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
