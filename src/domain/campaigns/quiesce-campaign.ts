import type { Clock } from '../../shared/clock.ts';
import { lockCalls } from '../../store/calls/facts.ts';
import type { Db } from '../../store/database.ts';
import { waitingOfCampaign } from '../../store/calls/queued-calls.ts';
import { throughOutage } from '../../store/transient.ts';
import { cancelMessages } from '../../store/campaigns/messages.ts';
import { tryCampaignLock } from '../../store/campaigns/campaigns.ts';
import { endQueuedCalls } from '../calls/attempt/end-queued.ts';
import { releaseUndialled } from '../calls/attempt/release.ts';
import { messagesHaveLeft } from './messages/permit.ts';
import { invitesHaveLeft, RETRY_FOR_MS, STOP_BATCH } from '../calls/stop-queued.ts';

interface Deps {
  readonly db: Db;
  readonly clock: Clock;
}

/**
 * Quiesces a campaign after its state has stopped new claims: releases the calls in `claimed` (claimed at that
 * moment) that are not journalled as dialling, cancels them with sub-status `cancelAs` unless that is null, and waits
 * until every INVITE or message with a valid permit has left or its permit has expired. Nothing of the campaign leaves
 * after this resolves. Returns how many claims it undid.
 */
export async function quiesceCampaign(
  deps: Deps,
  workspaceId: string,
  campaignId: string,
  claimed: readonly string[],
  cancelAs: string | null,
): Promise<number> {
  let stopped = 0;
  for (let from = 0; from < claimed.length; from += STOP_BATCH) {
    const ids = claimed.slice(from, from + STOP_BATCH);
    stopped += await throughOutage(() => takeBack(deps, workspaceId, ids, cancelAs), RETRY_FOR_MS);
  }
  await invitesHaveLeft(deps, workspaceId, { campaignId });
  await messagesHaveLeft(deps, workspaceId, campaignId);
  return stopped;
}

function takeBack(
  deps: Deps,
  workspaceId: string,
  ids: readonly string[],
  cancelAs: string | null,
): Promise<number> {
  return deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now();
    const queued = [];
    for (const call of await lockCalls(tx, workspaceId, ids)) {
      queued.push(await releaseUndialled(tx, call, now));
    }
    if (cancelAs !== null) {
      const end = { status: 'cancelled', subStatus: cancelAs } as const;
      await endQueuedCalls(tx, workspaceId, queued, end, new Date(now));
    }
    // The dialer may have released a call first and the keeper cancelled it: it counts as undone too.
    return queued.filter(({ status }) => status !== 'ongoing' && !DIALLED.has(status)).length;
  });
}

/** Statuses that a call reaches only by being dialled. */
const DIALLED = new Set<string>(['completed', 'failed', 'error']);

/**
 * Cancels waiting calls of a campaign and appends their final events, in at most `steps` transactions, so that one
 * large campaign cannot starve the others. An advisory lock admits one process per campaign. Returns false when
 * nothing waited or another process holds the lock.
 */
export async function cancelWaiting(
  deps: Deps,
  workspaceId: string,
  campaignId: string,
  subStatus: string,
  steps: number,
): Promise<boolean> {
  for (let step = 0; step < steps; step += 1) {
    const found = await throughOutage(
      () => cancelStep(deps, workspaceId, campaignId, subStatus),
      RETRY_FOR_MS,
    );
    if (found === 0) return step > 0;
  }
  return true;
}

function cancelStep(deps: Deps, workspaceId: string, campaignId: string, subStatus: string): Promise<number> {
  return deps.db.transaction().execute(async (tx) => {
    if (!(await tryCampaignLock(tx, campaignId))) return 0;
    const messages = await cancelMessages(
      tx,
      workspaceId,
      { campaignId },
      subStatus,
      new Date(deps.clock.now()),
      STOP_BATCH,
    );
    if (messages > 0) return messages;
    const ids = await waitingOfCampaign(tx, workspaceId, campaignId, STOP_BATCH);
    if (ids.length === 0) return 0;
    const at = new Date(deps.clock.now());
    const calls = await lockCalls(tx, workspaceId, ids);
    await endQueuedCalls(tx, workspaceId, calls, { status: 'cancelled', subStatus }, at);
    return ids.length;
  });
}
