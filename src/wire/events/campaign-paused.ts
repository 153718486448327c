import type { JsonObject } from '../../store/schema.ts';

/** Sent when the service stops a campaign that should run. */
export const CAMPAIGN_PAUSED = 'campaign_paused';

export type PauseReason = 'circuit_breaker' | 'balance';

/** What a chat such as Slack, and a mail, says. */
export const pausedText = ({ name }: { readonly name: string }, message: string): string =>
  `The campaign “${name}” does not call. ${message}`;

/** The payload. `text` is the message that a chat such as Slack shows. */
export const campaignPausedBody = (
  eventId: string,
  campaign: {
    readonly workspaceId: string;
    readonly agentId: string;
    readonly id: string;
    readonly name: string;
  },
  reason: PauseReason,
  message: string,
  at: Date,
): JsonObject => ({
  event_type: CAMPAIGN_PAUSED,
  event_id: eventId,
  workspace_id: campaign.workspaceId,
  agent_id: campaign.agentId,
  bulk_list_id: campaign.id,
  campaign_name: campaign.name,
  reason,
  message,
  text: pausedText(campaign, message),
  occurred_at: at.toISOString(),
});
