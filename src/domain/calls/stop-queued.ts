import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../shared/clock.ts';
import { lockCalls, type CallFacts } from '../../store/calls/facts.ts';
import {
  findUndialled,
  isInviteLeaving,
  withdrawRetries,
  type CallScope,
} from '../../store/calls/queued-calls.ts';
import type { Db, Tx } from '../../store/database.ts';
import { throughOutage } from '../../store/transient.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';
import { endQueuedCalls } from './attempt/end-queued.ts';
import { DIAL_PERMIT_MS } from './attempt/dial.ts';
import { releaseUndialled } from './attempt/release.ts';

/** Calls stopped in one transaction: a large scope is stopped in batches, each complete with its events. */
export const STOP_BATCH = 500;
/** How long a batch is retried. A deadlock with a settlement or a dial gate passes at once, a restart of the database in seconds. */
export const RETRY_FOR_MS = 5_000;

/** From the journal row of a dial to the INVITE and its `sent` mark: the permit's lifetime and a margin for the event loop. */
const LEAVES_WITHIN_MS = DIAL_PERMIT_MS + 200;
const INVITE_POLL_MS = 25;
/** Upper bound of the clock difference between two machines. */
const SKEW_MS = 60_000;

/**
 * Cancels the calls in scope for which no phone rang yet, with their events; returns how many. Once it resolves, none
 * of them can be dialled: claims are released under the call's row lock, which the dial gate takes too. `withdraw` also
 * waits for permitted INVITEs that have not left yet, and takes the retries of live calls, which go on.
 */
export async function stopQueued(
  deps: { db: Db; clock: Clock },
  workspaceId: string,
  change: ChangeEntry | null,
  scope: CallScope,
  end: { readonly subStatus: string; readonly withdraw: boolean },
): Promise<number> {
  const sweep = async (): Promise<number> => {
    let stopped = 0;
    for (;;) {
      const batch = await throughOutage(
        () =>
          commitChange(deps.db, change, (tx) => stopBatch(tx, workspaceId, scope, end.subStatus, deps.clock)),
        RETRY_FOR_MS,
      );
      stopped += batch.stopped;
      if (batch.found === 0) return stopped;
    }
  };
  const stopped = await sweep();
  if (stopped === 0 || !end.withdraw) return stopped;
  await withdrawRetries(deps.db, workspaceId, scope);
  // A call that was live in the first sweep may have been queued for a retry before its retries were withdrawn.
  const late = await sweep();
  await invitesHaveLeft(deps, workspaceId, scope);
  return stopped + late;
}

async function stopBatch(
  tx: Tx,
  workspaceId: string,
  scope: CallScope,
  subStatus: string,
  clock: Clock,
): Promise<{ found: number; stopped: number }> {
  const ids = await findUndialled(tx, workspaceId, scope, STOP_BATCH);
  const locked = await lockCalls(tx, workspaceId, ids);
  const now = clock.now();
  const queued: CallFacts[] = [];
  for (const call of locked) queued.push(await releaseUndialled(tx, call, now));
  const end = { status: 'cancelled', subStatus } as const;
  const ended = await endQueuedCalls(tx, workspaceId, queued, end, new Date(now));
  return { found: ids.length, stopped: ended.length };
}

/**
 * Waits until no INVITE of the calls in scope can be between its dial permit and the network: permits issued before the
 * stop have been used or have expired, and the gate refuses new ones.
 */
export async function invitesHaveLeft(
  deps: { readonly db: Db; readonly clock: Clock },
  workspaceId: string,
  scope: CallScope,
): Promise<void> {
  const since = new Date(deps.clock.now() - LEAVES_WITHIN_MS - SKEW_MS);
  const until = performance.now() + LEAVES_WITHIN_MS;
  while (await isInviteLeaving(deps.db, workspaceId, scope, since)) {
    if (performance.now() >= until) return;
    await sleep(INVITE_POLL_MS);
  }
}
