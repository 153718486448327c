import { newId } from '../../shared/ids.ts';
import type { CampaignRow } from '../../store/campaigns/campaigns.ts';
import type { Tx } from '../../store/database.ts';
import { insertEvent } from '../../store/webhooks/events.ts';
import { subscriptionsTo } from '../../store/webhooks/outages.ts';
import { CAMPAIGN_PAUSED, campaignPausedBody, type PauseReason } from '../../wire/events/campaign-paused.ts';
import { targetsOf } from '../webhooks/subscriptions.ts';

/** Appends `campaign_paused` for the subscriptions of the workspace's agents that name it. */
export async function appendCampaignPaused(
  tx: Tx,
  campaign: CampaignRow & { readonly workspaceId: string },
  reason: PauseReason,
  message: string,
  at: Date,
): Promise<void> {
  const { workspaceId } = campaign;
  const lists = await subscriptionsTo(tx, workspaceId, CAMPAIGN_PAUSED);
  const targets = lists.flatMap((list) => targetsOf(CAMPAIGN_PAUSED, list));
  if (targets.length === 0) return;
  const eventId = newId();
  await insertEvent(
    tx,
    {
      workspaceId,
      // The event belongs to no call, and a campaign may pause again.
      callId: newId(),
      eventId,
      eventType: CAMPAIGN_PAUSED,
      dedup: CAMPAIGN_PAUSED,
      body: campaignPausedBody(eventId, campaign, reason, message, at),
      at,
    },
    targets,
  );
}
