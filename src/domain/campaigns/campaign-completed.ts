import type { CallCallback } from '../../store/json/callback.ts';
import { newId } from '../../shared/ids.ts';
import type { CampaignCounts } from '../../store/campaigns/counts.ts';
import type { CampaignRow } from '../../store/campaigns/campaigns.ts';
import type { Tx } from '../../store/database.ts';
import { insertEvent } from '../../store/webhooks/events.ts';
import { CAMPAIGN_COMPLETED, campaignCompletedBody } from '../../wire/events/campaign-completed.ts';

/**
 * Appends `campaign_completed`, the last event of a campaign, and its delivery when the campaign has a callback URL.
 * The campaign's id takes the place of the call id in the deduplication key, so repeating this adds no second event.
 */
export async function appendCampaignCompleted(
  tx: Tx,
  campaign: CampaignRow & { readonly workspaceId: string },
  agentName: string,
  counts: CampaignCounts,
  at: Date,
): Promise<void> {
  const eventId = newId();
  const { url, headers, success } = (campaign.callback ?? {}) as Partial<CallCallback>;
  await insertEvent(
    tx,
    {
      workspaceId: campaign.workspaceId,
      callId: campaign.id,
      eventId,
      eventType: CAMPAIGN_COMPLETED,
      dedup: CAMPAIGN_COMPLETED,
      at,
      body: campaignCompletedBody(eventId, campaign, agentName, counts, at),
    },
    url === undefined
      ? []
      : [{ url, method: 'POST', headers: headers ?? {}, ...(success === undefined ? {} : { success }) }],
  );
}
