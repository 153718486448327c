import type { Clock } from '../../shared/clock.ts';
import type { Db } from '../../store/database.ts';
import { listDoNotCall, listNumbersAsDoNotCall, removeDoNotCall } from '../../store/do-not-call.ts';
import { knownCampaign } from '../campaigns/read-campaigns.ts';
import { stopQueued } from '../calls/stop-queued.ts';
import { checkNumbers } from './dialable-number.ts';

/** The list that is meant: a campaign's own, or the workspace's. Throws 404. */
async function laneOf(db: Db, workspaceId: string, campaignId: string | null): Promise<string | null> {
  return campaignId === null ? null : (await knownCampaign(db, workspaceId, campaignId)).id;
}

/** A page of the workspace's or a campaign's do-not-call list, newest first. Throws 404 for an unknown campaign. */
export async function readDoNotCall(
  deps: { db: Db },
  workspaceId: string,
  filter: { campaignId: string | null; number: string | null },
  page: { limit: number; offset: number },
) {
  const laneId = await laneOf(deps.db, workspaceId, filter.campaignId);
  const { numbers, total } = await listDoNotCall(deps.db, { workspaceId, laneId }, filter.number, page);
  return {
    numbers: numbers.map((listed) => ({
      mobile_number: listed.number,
      reason: listed.reason,
      created_at: listed.created_at.toISOString(),
    })),
    limit: page.limit,
    offset: page.offset,
    count: numbers.length,
    total,
  };
}

/**
 * Lists numbers and cancels what is queued to them. The list comes first: from then on the dialer rings none of
 * them, whatever is queued meanwhile. A campaign's own list holds for its calls alone. Throws 422 and 404.
 */
export async function addDoNotCallNumbers(
  deps: { db: Db; clock: Clock },
  workspaceId: string,
  campaignId: string | null,
  mobileNumbers: readonly string[],
): Promise<{ added: number; cancelled: number }> {
  checkNumbers('mobile_numbers', mobileNumbers);
  const numbers = [...new Set(mobileNumbers)];
  const laneId = await laneOf(deps.db, workspaceId, campaignId);
  const at = new Date(deps.clock.now());
  const added = await deps.db
    .transaction()
    .execute((tx) => listNumbersAsDoNotCall(tx, { workspaceId, laneId }, numbers, 'ADDED', at));
  const cancelled = await stopQueued(deps, workspaceId, laneId === null ? { numbers } : { laneId, numbers }, {
    subStatus: 'DND_SKIPPED',
    withdraw: false,
  });
  return { added, cancelled };
}

/** Takes numbers off the list. Throws 422 and 404. */
export async function removeDoNotCallNumbers(
  deps: { db: Db },
  workspaceId: string,
  campaignId: string | null,
  mobileNumbers: readonly string[],
): Promise<{ removed: number }> {
  checkNumbers('mobile_numbers', mobileNumbers);
  const laneId = await laneOf(deps.db, workspaceId, campaignId);
  const removed = await deps.db
    .transaction()
    .execute((tx) => removeDoNotCall(tx, { workspaceId, laneId }, mobileNumbers));
  return { removed };
}
