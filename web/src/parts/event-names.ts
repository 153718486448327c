import { formatCode } from '../ui/format.tsx';
import { t } from '../words/words.ts';

/** The events of webhooks, for people. */
export const EVENT_NAMES: Readonly<Record<string, string>> = {
  call_started: 'Call started',
  call_ringing: 'Call ringing',
  call_ongoing: 'Call ongoing',
  call_completed: 'Call completed',
  recording_completed: 'Recording completed',
  platform_analysis_completed: 'Platform analysis completed',
  client_analysis_completed: 'Client analysis completed',
  all_processing_completed: 'All processing completed',
  webhook_delivery_failed: 'Webhook delivery failed',
  webhook_receiver_disabled: 'Webhook receiver disabled',
  knowledge_processed: 'Knowledge processed',
  outbound_paused: 'Outbound paused',
  campaign_paused: 'Campaign paused',
  quality_alert: 'Quality alert',
  chat_completed: 'Chat completed',
  campaign_completed: 'Campaign completed',
};

export const eventName = (event: string): string => t(EVENT_NAMES[event] ?? formatCode(event));
