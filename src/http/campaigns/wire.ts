import type { CampaignBalance } from '../../domain/campaigns/check-balance.ts';
import { toCounts } from '../../wire/events/campaign-completed.ts';
import type { Campaign, CampaignDetails, CampaignPage } from '../../domain/campaigns/read-campaigns.ts';
import type { MessagePage } from '../../domain/campaigns/messages/read-messages.ts';
import type { CampaignPreview } from '../../domain/campaigns/preview-campaign.ts';
import { toCredits } from '../../domain/credits/price.ts';
import { toWindow } from '../../wire/calling-window.ts';
import { callLevelDocument } from '../../store/json/call-config.ts';
import { iso, isoOrNull } from '../common/values.ts';

const MINUTE_MS = 60_000;

const toCampaign = (campaign: Campaign) => ({
  id: campaign.id,
  name: campaign.name,
  campaign_status: campaign.state,
  message: campaign.message,
  reason: campaign.reason,
  agent_id: campaign.agentId,
  campaign_start_time: isoOrNull(campaign.startAt),
  campaign_end_time: isoOrNull(campaign.endAt),
  created_at: iso(campaign.createdAt),
  updated_at: iso(campaign.updatedAt),
  started_at: isoOrNull(campaign.startedAt),
  ended_at: isoOrNull(campaign.endedAt),
  channel: campaign.template === null ? ('call' as const) : ('whatsapp' as const),
  template:
    campaign.template === null
      ? null
      : { name: campaign.template.name, language: campaign.template.language },
});

/** The body of GET /campaign/all (open-points). */
export const toCampaignPage = ({ campaigns, total, limit, offset, nextCursor }: CampaignPage) => ({
  campaigns: campaigns.map(({ campaign, counts }) => ({
    ...toCampaign(campaign),
    ...(counts === null ? {} : toCounts(counts)),
  })),
  pagination: { total, limit, offset },
  next_cursor: nextCursor,
});

export const toCampaignDetails = (details: CampaignDetails) => ({
  ...toCampaign(details.campaign),
  ...toCounts(details.counts),
  list_id: details.campaign.id,
  bulk_list_id: details.campaign.id,
  call_config: callLevelDocument.write(details.callConfig),
  from_numbers: [...details.numberIds],
  number_pool_id: details.numberPoolId,
  callback_url: details.callbackUrl,
  concurrency_percentage: details.concurrencyPercentage,
  purpose: details.purpose,
  dlt_template_id: details.dltTemplateId,
  circuit_breaker: {
    failed_share: details.breaker.failedShare,
    window_calls: details.breaker.window,
    minimum_calls: details.breaker.minimum,
  },
  retry_budget: {
    retry_count: details.retries.retries,
    retry_busy: details.retries.delayMs.busy / MINUTE_MS,
    retry_not_picked: details.retries.delayMs.not_picked / MINUTE_MS,
    retry_failed: details.retries.delayMs.failed / MINUTE_MS,
  },
  spent_credits: toCredits(details.spent),
  required_credits: toCredits(details.required),
  total_rows: details.rows.total,
  successful_rows: details.rows.successful,
  failed_rows: details.rows.failed,
});

/** The body of GET /campaign/{campaign_id}/preview. */
export const toPreview = (preview: CampaignPreview) => ({
  campaign_id: preview.campaignId,
  ...toCalling(preview),
  zones: preview.zones.map((zone) => ({
    timezones: [...zone.zones],
    contacts: zone.contacts,
    local_time: zone.localTime,
    is_open: zone.isOpen,
    opens_at: zone.opensAt,
    is_night: zone.isNight,
  })),
});

/** What the answers to a start say of the time of its calls. */
export const toCalling = (preview: CampaignPreview) => ({
  starts_at: iso(preview.at),
  calling_window: toWindow(preview.window),
  contacts: {
    waiting: preview.waiting,
    callable: preview.callable,
    outside_window: preview.waiting - preview.callable,
  },
  warnings: [...preview.warnings],
});

/** The body of GET /campaign/{campaign_id}/messages. */
export const toMessagePage = ({ messages, total, limit, offset }: MessagePage) => ({
  messages: messages.map((message) => ({
    id: message.id,
    row: message.row,
    mobile_number: message.toNumber,
    callee_name: message.calleeName,
    status: message.status,
    sub_status: message.subStatus,
    delivery_status: message.state,
    error_code: message.errorCode,
    text: message.text,
    attempts: message.attempt,
    retry_count: message.retriesUsed,
    whatsapp_number_id: message.numberId,
    from_number: message.fromNumber,
    whatsapp_message_id: message.externalId,
    sent_at: isoOrNull(message.sentAt),
    delivered_at: isoOrNull(message.deliveredAt),
    read_at: isoOrNull(message.readAt),
    answered_at: isoOrNull(message.answeredAt),
    ended_at: isoOrNull(message.endedAt),
    next_attempt_at:
      message.status === 'registered' || message.status === 'retry' ? iso(message.nextAttemptAt) : null,
    chat_id: message.chatId,
    custom_args_values: { ...message.args },
  })),
  limit,
  offset,
  count: messages.length,
  total,
});

/** The body of POST /campaign/check-balance. */
export const toBalance = (balance: CampaignBalance) => ({
  bulk_list_id: balance.campaignId,
  status: balance.state,
  required_credits: toCredits(balance.required),
  available_credits: toCredits(balance.available),
  sufficient_balance: balance.isSufficient,
  message: balance.isSufficient
    ? 'The balance covers the campaign'
    : 'Your current balance is insufficient to run this campaign!',
});
