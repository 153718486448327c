import type { Clock } from '../../shared/clock.ts';
import type { Db } from '../../store/database.ts';
import { listDoNotCall, listNumbersAsDoNotCall, removeDoNotCall } from '../../store/numbers/do-not-call.ts';
import { knownCampaign } from '../campaigns/read-campaigns.ts';
import { stopMessages } from '../campaigns/messages/stop-messages.ts';
import { stopQueued } from '../calls/stop-queued.ts';
import { checkNumbers } from '../numbers/dialable-number.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';

/** The id of the campaign whose list to use; null: the workspace's list. Throws 404. */
async function knownCampaignId(
  db: Db,
  workspaceId: string,
  campaignId: string | null,
): Promise<string | null> {
  return campaignId === null ? null : (await knownCampaign(db, workspaceId, campaignId)).id;
}

export interface DoNotCallPage {
  readonly numbers: readonly { readonly number: string; readonly reason: string; readonly createdAt: Date }[];
  readonly limit: number;
  readonly offset: number;
  readonly total: number;
}

/** A page of the workspace's or a campaign's do-not-call list, newest first. Throws 404 for an unknown campaign. */
export async function readDoNotCall(
  deps: { db: Db },
  workspaceId: string,
  filter: { campaignId: string | null; number: string | null },
  page: { limit: number; offset: number },
): Promise<DoNotCallPage> {
  const campaignId = await knownCampaignId(deps.db, workspaceId, filter.campaignId);
  const { numbers, total } = await listDoNotCall(deps.db, { workspaceId, campaignId }, filter.number, page);
  return {
    numbers: numbers.map(({ number, reason, createdAt }) => ({ number, reason, createdAt })),
    ...page,
    total,
  };
}

/**
 * Adds numbers to the list, then cancels their queued calls. In this order no call queued in between is dialled: the
 * dial gate checks the list. A campaign's own list applies to its calls only. Throws 422 and 404.
 */
export async function addDoNotCallNumbers(
  deps: { db: Db; clock: Clock },
  workspaceId: string,
  change: ChangeEntry | null,
  campaignId: string | null,
  mobileNumbers: readonly string[],
): Promise<{ added: number; cancelled: number }> {
  checkNumbers('mobile_numbers', mobileNumbers);
  const numbers = [...new Set(mobileNumbers)];
  const listOf = await knownCampaignId(deps.db, workspaceId, campaignId);
  const at = new Date(deps.clock.now());
  const added = await commitChange(deps.db, change, (tx) =>
    listNumbersAsDoNotCall(tx, { workspaceId, campaignId: listOf }, numbers, 'ADDED', at),
  );
  const cancelled = await stopQueued(
    deps,
    workspaceId,
    change,
    listOf === null ? { numbers } : { campaignId: listOf, numbers },
    {
      subStatus: 'DND_SKIPPED',
      withdraw: false,
    },
  );
  const scope = listOf === null ? { numbers } : { campaignId: listOf, numbers };
  const messages = await stopMessages(deps, workspaceId, scope, 'DND_SKIPPED');
  return { added, cancelled: cancelled + messages };
}

/** Removes numbers from the list. Throws 422 and 404. */
export async function removeDoNotCallNumbers(
  deps: { db: Db },
  workspaceId: string,
  change: ChangeEntry | null,
  campaignId: string | null,
  mobileNumbers: readonly string[],
): Promise<{ removed: number }> {
  checkNumbers('mobile_numbers', mobileNumbers);
  const listOf = await knownCampaignId(deps.db, workspaceId, campaignId);
  const removed = await commitChange(deps.db, change, (tx) =>
    removeDoNotCall(tx, { workspaceId, campaignId: listOf }, mobileNumbers),
  );
  return { removed };
}
