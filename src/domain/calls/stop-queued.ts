import type { Clock } from '../../shared/clock.ts';
import { lockCalls, type CallFacts } from '../../store/call-facts.ts';
import type { Db, Tx } from '../../store/database.ts';
import { findUndialled, withdrawRetries, type CallScope } from '../../store/queued-calls.ts';
import { releaseAttempt } from '../../store/settlements.ts';
import { throughOutage } from '../../store/transient.ts';
import { endWaiting } from './end-queued.ts';
import { invitesHaveLeft } from './leaving-invites.ts';

/** Calls ended in one transaction: large scopes are gone through step by step, each step whole. */
export const STEP = 500;
/** A deadlock with a call that just ends passes at once. */
export const RETRY_FOR_MS = 5_000;

/**
 * Cancels the calls in scope that nobody was rung for yet, with the events of their end; returns how many. When it
 * resolves none of them can be dialled any more: a claimed call's row is locked here, and the dialer asks for it
 * before its INVITE; with `withdraw` it also waits for the INVITEs that were on their way out, and live calls, which
 * go on, are not tried again.
 */
export async function stopQueued(
  deps: { db: Db; clock: Clock },
  workspaceId: string,
  scope: CallScope,
  end: { readonly subStatus: string; readonly withdraw: boolean },
): Promise<number> {
  const sweep = async (): Promise<number> => {
    let stopped = 0;
    for (;;) {
      const step = await throughOutage(
        () =>
          deps.db.transaction().execute((tx) => stopStep(tx, workspaceId, scope, end.subStatus, deps.clock)),
        RETRY_FOR_MS,
      );
      stopped += step.stopped;
      if (step.found === 0) return stopped;
    }
  };
  const stopped = await sweep();
  if (stopped === 0 || !end.withdraw) return stopped;
  await withdrawRetries(deps.db, workspaceId, scope);
  // What was live at the first look may have come back to the queue before its retries were withdrawn.
  const late = await sweep();
  await invitesHaveLeft(deps, workspaceId, scope);
  return stopped + late;
}

async function stopStep(
  tx: Tx,
  workspaceId: string,
  scope: CallScope,
  subStatus: string,
  clock: Clock,
): Promise<{ found: number; stopped: number }> {
  const ids = await findUndialled(tx, workspaceId, scope, STEP);
  const locked = await lockCalls(tx, workspaceId, ids);
  const at = new Date(clock.now());
  const waiting: CallFacts[] = [];
  for (const call of locked) waiting.push(await giveBack(tx, call, at));
  const ended = await endWaiting(tx, workspaceId, waiting, { status: 'cancelled', subStatus }, at);
  return { found: ids.length, stopped: ended.length };
}

/** Takes a claim back whose INVITE has not left; any other call stays as it is. */
export async function giveBack(tx: Tx, call: CallFacts, at: Date): Promise<CallFacts> {
  if (call.status !== 'ongoing' || call.callType !== 'outbound' || call.dialedAt !== null) return call;
  await releaseAttempt(tx, call, { subStatus: 'QUEUED', dueAt: at, at });
  const status = call.retriesUsed > 0 ? 'retry' : 'registered';
  return { ...call, status, attempt: call.attempt - 1, reserved: 0, nodeId: null };
}
