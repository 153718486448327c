import { newId } from '../../shared/ids.ts';
import type { CampaignCounts } from '../../store/campaign-counts.ts';
import type { CampaignRow } from '../../store/campaigns.ts';
import type { Tx } from '../../store/database.ts';
import { insertEvent } from '../../store/events.ts';
import type { JsonObject } from '../../store/schema.ts';
import type { CallCallback } from '../webhooks/subscriptions.ts';
import { toCounts } from './campaign-record.ts';

export const CAMPAIGN_COMPLETED = 'campaign_completed';

/**
 * Writes the last event of a campaign, for its receiver if it has one. It belongs to no call: the campaign's id stands
 * where a call's would, so that it is one event however often it is told.
 */
export async function appendCampaignCompleted(
  tx: Tx,
  campaign: CampaignRow & { readonly workspaceId: string },
  agentName: string,
  counts: CampaignCounts,
  at: Date,
): Promise<void> {
  const eventId = newId();
  const { url, headers } = (campaign.callback ?? {}) as Partial<CallCallback>;
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
    url === undefined ? [] : [{ url, method: 'POST', headers: headers ?? {} }],
  );
}

/** Its body. */
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
