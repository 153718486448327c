import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid } from '../../shared/ids.ts';
import type { Db, Tx } from '../../store/database.ts';
import {
  findErasure,
  insertErasure,
  lockDueErasure,
  lockForErasure,
  saveErasure,
  walkCalls,
  type Erasure,
} from '../../store/erasure.ts';
import { awaitFiles, countAwaitedFiles } from '../../store/erasure-files.ts';
import { nextList } from '../../store/erasure-lists.ts';
import { clearTalk } from '../../store/talk-journal.ts';
import { stopQueued } from '../calls/stop-queued.ts';
import { forgetUploads } from '../campaigns/import/forget-uploads.ts';
import { isCallerOneOf } from '../numbers/caller-number.ts';
import { checkNumbers } from '../numbers/dialable-number.ts';
import { eraseEnded } from './erase-ended.ts';
import { eraseFromList } from './erase-from-list.ts';

/** Calls looked at in one step, and how long an erasure waits for calls that are still live. */
const STEP = 10_000;
const WAIT_MS = 5000;
const CANCELLED = { subStatus: 'USER_TERMINATED', withdraw: true };

/**
 * Asks for everything with these numbers to be erased, in calls made to them and by them and in contact lists. Queued
 * calls to them are cancelled first; live ones are erased when they end. The rest is done behind the answer, across
 * restarts. `within` runs in the transaction that keeps the wish. Returns how many calls were cancelled.
 */
export async function requestErasure(
  deps: { db: Db; clock: Clock },
  workspaceId: string,
  asked: { id: string; mobileNumbers: readonly string[] },
  within: (tx: Tx, cancelled: number) => Promise<void> = async () => undefined,
): Promise<number> {
  checkNumbers('mobile_numbers', asked.mobileNumbers);
  const numbers = [...new Set(asked.mobileNumbers)];
  const cancelled = await stopQueued(deps, workspaceId, { numbers }, CANCELLED);
  await deps.db.transaction().execute(async (tx) => {
    const row = { workspaceId, id: asked.id, mobileNumbers: numbers };
    await insertErasure(tx, row, new Date(deps.clock.now()));
    await within(tx, cancelled);
  });
  return cancelled;
}

/** How far an erasure has come. Throws 404 for one the workspace has not asked for. */
export async function readErasure(deps: { db: Db }, workspaceId: string, id: string) {
  const erasure = isUuid(id) ? await findErasure(deps.db, workspaceId, id) : null;
  if (erasure === null) throw errors.erasureNotFound();
  return {
    erasure_id: erasure.id,
    status: erasure.state === 'done' ? 'done' : 'running',
    erased_calls: erasure.erasedCalls,
    waiting_calls: erasure.waiting.length,
    waiting_files: await countAwaitedFiles(deps.db, erasure),
    requested_at: erasure.requestedAt.toISOString(),
    done_at: erasure.doneAt?.toISOString() ?? null,
  };
}

/**
 * One step of the erasure that has waited longest, whole or not at all: a contact list, or a page of calls once every
 * list is done. Contacts that are still queued by then are cancelled. False when none is due.
 */
export async function stepErasure(deps: { db: Db; clock: Clock }): Promise<boolean> {
  const step = await deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now();
    const erasure = await lockDueErasure(tx, new Date(now));
    if (erasure === null) return null;
    const isList = !erasure.listsDone && (await eraseNextList(tx, erasure, now));
    return { erasure, waiting: isList ? [] : await eraseNextCalls(tx, erasure, now) };
  });
  if (step === null) return false;
  const { erasure, waiting } = step;
  if (waiting.length > 0) await stopQueued(deps, erasure.workspaceId, { callIds: waiting }, CANCELLED);
  return true;
}

/** False when there was no list left. One that is being read is waited for: its contacts are calls afterwards. */
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
 * Erases the calls of the next page that have ended, and those found before that have by now; returns the others. Done
 * is the erasure once their files are gone too.
 */
async function eraseNextCalls(tx: Tx, erasure: Erasure, now: number): Promise<string[]> {
  const page = erasure.walked ? { ids: [], alike: [], last: null } : await walkCalls(tx, erasure, STEP);
  const spelt = page.alike.filter(({ from, to }) => isCallerOneOf(from, to, erasure.mobileNumbers));
  const found = [...erasure.waiting, ...page.ids, ...spelt.map(({ id }) => id)];
  const { erased, waiting } = await erasePage(tx, erasure, found, new Date(now));
  const walked = erasure.walked || page.last === null;
  const isFound = walked && waiting.length === 0;
  const isDone = isFound && (await countAwaitedFiles(tx, erasure)) === 0;
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
  // What is said on a live one from here on is erased with its end.
  if (waiting.length > 0) await clearTalk(tx, erasure.workspaceId, waiting);
  return { erased: ended.length, waiting };
}
