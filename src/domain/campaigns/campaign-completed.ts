import type { CallCallback } from '../../store/json/callback.ts';
import { newId } from '../../shared/ids.ts';
import type { CampaignCounts } from '../../store/campaigns/counts.ts';
import type { CampaignRow } from '../../store/campaigns/campaigns.ts';
import type { Tx } from '../../store/database.ts';
import { insertEvent } from '../../store/webhooks/events.ts';
import type { JsonObject } from '../../store/schema.ts';

export const CAMPAIGN_COMPLETED = 'campaign_completed';

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

/** Counts under their wire names. Calls with status `error` count as failed. */
export const toCounts = (counts: CampaignCounts) => ({
  total_count: counts.total,
  registered_count: counts.registered,
  ongoing_count: counts.ongoing,
  retry_count: counts.retry,
  completed_count: counts.completed,
  failed_count: counts.failed,
  cancelled_count: counts.cancelled,
  ...(counts.messages === null
    ? {}
    : {
        sent_count: counts.messages.sent,
        delivered_count: counts.messages.delivered,
        read_count: counts.messages.read,
        answered_count: counts.messages.answered,
      }),
});

/** The payload of `campaign_completed`. */
export const campaignCompletedBody = (
  eventId: string,
  campaign: Pick<CampaignRow, 'id' | 'agent_id' | 'name' | 'state' | 'started_at' | 'ended_at'> & {
    readonly workspaceId: string;
  },
  agentName: string,
  counts: CampaignCounts,
  at: Date,
): JsonObject => ({
  event_type: CAMPAIGN_COMPLETED,
  event_id: eventId,
  workspace_id: campaign.workspaceId,
  agent_id: campaign.agent_id,
  agent_name: agentName,
  bulk_list_id: campaign.id,
  campaign_name: campaign.name,
  status: campaign.state,
  counts: toCounts(counts),
  started_at: campaign.started_at?.toISOString() ?? null,
  ended_at: campaign.ended_at?.toISOString() ?? null,
  occurred_at: at.toISOString(),
});
