import type { EventSubscription } from '../../../store/json/agent-version.ts';
import { errors } from '../../../errors.ts';
import { CAMPAIGN_PAUSED } from '../../../wire/events/campaign-paused.ts';
import { KNOWLEDGE_PROCESSED } from '../../../wire/events/knowledge-processed.ts';
import { QUALITY_ALERT } from '../../../wire/events/quality-alert.ts';
import { OUTBOUND_PAUSED } from '../../../wire/events/outbound-paused.ts';
import { DELIVERY_FAILED } from '../../../wire/events/delivery-failed.ts';
import { RECEIVER_DISABLED_EVENT } from '../../../wire/events/receiver-disabled.ts';
import { checkReceiverHeaders, checkReceiverUrl } from '../../webhooks/receiver-rules.ts';
import { sealHeaders } from '../../webhooks/sealed-headers.ts';
import { isChatAgent } from '../agent-version.ts';
import { restoreMaskedHeaders } from '../masked-headers.ts';
import { operation } from './operation.ts';

/** Events of a voice agent (interface, Events; open-points, Webhooks). */
export const VOICE_EVENTS = [
  'call_started',
  'call_ringing',
  'call_ongoing',
  'call_completed',
  'recording_completed',
  'platform_analysis_completed',
  'client_analysis_completed',
  'all_processing_completed',
  DELIVERY_FAILED,
  RECEIVER_DISABLED_EVENT,
  KNOWLEDGE_PROCESSED,
  OUTBOUND_PAUSED,
  CAMPAIGN_PAUSED,
  QUALITY_ALERT,
] as const;
/** Events of a WhatsApp agent. */
const CHAT_EVENTS = [
  'chat_completed',
  'platform_analysis_completed',
  'client_analysis_completed',
  'all_processing_completed',
  DELIVERY_FAILED,
  RECEIVER_DISABLED_EVENT,
  KNOWLEDGE_PROCESSED,
  OUTBOUND_PAUSED,
  CAMPAIGN_PAUSED,
  QUALITY_ALERT,
] as const;
export const ALL_EVENTS = [...VOICE_EVENTS, 'chat_completed'] as const;

interface SubscriptionEdit {
  readonly eventType: string | readonly string[];
  readonly callbackUrl: string;
  readonly methodType?: EventSubscription['methodType'];
  readonly headers?: Record<string, string>;
  readonly success?: NonNullable<EventSubscription['success']>;
  readonly recovery?: NonNullable<EventSubscription['recovery']>;
}

/** Replaces the agent's whole list. Of two subscriptions to one event the later one stays. */
export const editEventSubscriptions = operation<{ eventSubscriptions: SubscriptionEdit[] }>(
  ({ agent, config, seal, guard, workspaceId }, input) => {
    const isChat = isChatAgent(agent.agentType);
    const sendable: readonly string[] = isChat ? CHAT_EVENTS : VOICE_EVENTS;
    const sent = input.eventSubscriptions.map((subscription, index): EventSubscription => {
      const path = `event_subscriptions[${index}]`;
      const events = [subscription.eventType].flat();
      const foreign = events.find((event) => !sendable.includes(event));
      if (foreign !== undefined) throw errors.eventNeverSent(foreign, isChat ? 'WhatsApp' : 'voice');
      checkReceiverUrl(
        { guard, purpose: 'webhooks', workspaceId },
        `${path}.callback_url`,
        subscription.callbackUrl,
      );
      checkReceiverHeaders(`${path}.headers`, subscription.headers ?? {});
      return {
        eventType: [...new Set(events)],
        callbackUrl: subscription.callbackUrl,
        methodType: subscription.methodType ?? 'POST',
        headers: subscription.headers ?? {},
        ...(subscription.success === undefined ? {} : { success: subscription.success }),
        ...(subscription.recovery === undefined ? {} : { recovery: subscription.recovery }),
      };
    });
    const restored = restoreMaskedHeaders(sent, config.eventSubscriptions, (headers) =>
      sealHeaders(seal, headers),
    );
    return { config: { ...config, eventSubscriptions: lastOfEachEvent(restored) } };
  },
);

function lastOfEachEvent(subscriptions: readonly EventSubscription[]): EventSubscription[] {
  const owner = new Map(subscriptions.flatMap((s, i) => s.eventType.map((event) => [event, i] as const)));
  return subscriptions
    .map((s, i) => ({ ...s, eventType: s.eventType.filter((event) => owner.get(event) === i) }))
    .filter((s) => s.eventType.length > 0);
}
