import { newId } from '../../shared/ids.ts';
import type { CampaignRow } from '../../store/campaigns/campaigns.ts';
import type { Tx } from '../../store/database.ts';
import { insertEvent } from '../../store/webhooks/events.ts';
import { subscriptionsTo } from '../../store/webhooks/outages.ts';
import {
  CAMPAIGN_PAUSED,
  campaignPausedBody,
  pausedText,
  type PauseReason,
} from '../../wire/events/campaign-paused.ts';
import { queueNotice } from '../workspaces/notices.ts';
import { targetsOf } from '../webhooks/subscriptions.ts';

/** Appends `campaign_paused` for the subscriptions of the workspace's agents that name it, and mails it to the addresses of the workspace. */
export async function appendCampaignPaused(
  tx: Tx,
  campaign: CampaignRow & { readonly workspaceId: string },
  reason: PauseReason,
  message: string,
  at: Date,
): Promise<void> {
  const { workspaceId } = campaign;
  const eventId = newId();
  const body = campaignPausedBody(eventId, campaign, reason, message, at);
  const notice = {
    subject: `The campaign “${campaign.name}” does not call`,
    text: pausedText(campaign, message),
    path: `/campaigns/${campaign.id}`,
  };
  await queueNotice(tx, workspaceId, `${CAMPAIGN_PAUSED}:${eventId}`, notice, at);
  const lists = await subscriptionsTo(tx, workspaceId, CAMPAIGN_PAUSED);
  const targets = lists.flatMap((list) => targetsOf(CAMPAIGN_PAUSED, list));
  if (targets.length === 0) return;
  await insertEvent(
    tx,
    {
      workspaceId,
      // The event belongs to no call, and a campaign may pause again.
      callId: newId(),
      eventId,
      eventType: CAMPAIGN_PAUSED,
      dedup: CAMPAIGN_PAUSED,
      body,
      at,
    },
    targets,
  );
}
