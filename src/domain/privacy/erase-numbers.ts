import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid } from '../../shared/ids.ts';
import type { Db, Tx } from '../../store/database.ts';
import {
  eraseCallData,
  findErasure,
  insertErasure,
  lockDueErasure,
  lockForErasure,
  saveErasure,
  walkCalls,
  type Erasure,
} from '../../store/erasure.ts';
import { stopQueued } from '../calls/stop-queued.ts';
import { checkNumbers } from '../numbers/dialable-number.ts';

/** Calls looked at in one step, and how long an erasure waits for calls that are still live. */
const STEP = 10_000;
const WAIT_MS = 5000;

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
  const end = { subStatus: 'USER_TERMINATED', withdraw: true };
  const cancelled = await stopQueued(deps, workspaceId, { numbers }, end);
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
    requested_at: erasure.requestedAt.toISOString(),
    done_at: erasure.doneAt?.toISOString() ?? null,
  };
}

/** One step of the erasure that has waited longest, whole or not at all. False when none is due. */
export function stepErasure(deps: { db: Db; clock: Clock }): Promise<boolean> {
  return deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now();
    const erasure = await lockDueErasure(tx, new Date(now));
    if (erasure === null) return false;
    const page = erasure.walked ? { ids: [], last: null } : await walkCalls(tx, erasure, STEP);
    const found = [...erasure.waiting, ...page.ids];
    const { erased, waiting } = await eraseEnded(tx, erasure, found, new Date(now));
    const walked = erasure.walked || page.last === null;
    const isDone = walked && waiting.length === 0;
    await saveErasure(tx, erasure, {
      afterCall: page.last ?? erasure.afterCall,
      walked,
      waiting,
      erased,
      dueAt: new Date(walked ? now + WAIT_MS : now),
      doneAt: isDone ? new Date(now) : null,
    });
    return true;
  });
}

async function eraseEnded(
  tx: Tx,
  erasure: Erasure,
  ids: readonly string[],
  at: Date,
): Promise<{ erased: number; waiting: string[] }> {
  if (ids.length === 0) return { erased: 0, waiting: [] };
  const calls = await lockForErasure(tx, erasure.workspaceId, ids);
  const ended = calls.filter((call) => call.ended).map((call) => call.id);
  if (ended.length > 0) await eraseCallData(tx, erasure.workspaceId, ended, at);
  return { erased: ended.length, waiting: calls.filter((call) => !call.ended).map((call) => call.id) };
}
