import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../shared/clock.ts';
import { isMessageLeaving } from '../../../store/campaigns/message-claims.ts';
import type { Db } from '../../../store/database.ts';

/** From the claim of a message: its request leaves within this time, or the message is released. */
export const SEND_WITHIN_MS = 800;
const LEAVES_WITHIN_MS = SEND_WITHIN_MS + 200;
const POLL_MS = 25;

/**
 * Waits until no request of the campaign, null: of the workspace, can be between its claim and the network. New claims
 * must be impossible already.
 */
export async function messagesHaveLeft(
  deps: { readonly db: Db; readonly clock: Clock },
  workspaceId: string,
  campaignId: string | null,
): Promise<void> {
  const since = new Date(deps.clock.now() - LEAVES_WITHIN_MS);
  const until = performance.now() + LEAVES_WITHIN_MS;
  while (await isMessageLeaving(deps.db, workspaceId, campaignId, since)) {
    if (performance.now() >= until) return;
    await sleep(POLL_MS);
  }
}
