import type { CampaignCounts } from '../../store/campaigns/counts.ts';
import type { CampaignState, JsonObject } from '../../store/schema.ts';

export const CAMPAIGN_COMPLETED = 'campaign_completed';

/** The facts of a campaign that ended. */
export interface EndedCampaign {
  readonly id: string;
  readonly workspaceId: string;
  readonly agentId: string;
  readonly name: string;
  readonly state: CampaignState;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}

/** Counts under their wire names, also in answers of the API. Calls with status `error` count as failed. */
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
  campaign: EndedCampaign,
  agentName: string,
  counts: CampaignCounts,
  at: Date,
): JsonObject => ({
  event_type: CAMPAIGN_COMPLETED,
  event_id: eventId,
  workspace_id: campaign.workspaceId,
  agent_id: campaign.agentId,
  agent_name: agentName,
  bulk_list_id: campaign.id,
  campaign_name: campaign.name,
  status: campaign.state,
  counts: toCounts(counts),
  started_at: campaign.startedAt?.toISOString() ?? null,
  ended_at: campaign.endedAt?.toISOString() ?? null,
  occurred_at: at.toISOString(),
});
