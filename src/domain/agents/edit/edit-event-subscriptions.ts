import type { EventSubscription } from '../../../store/json/agent-version.ts';
import { Type } from 'typebox';
import { errors } from '../../../errors.ts';
import { mapOf, oneOf } from '../../../shared/schema-parts.ts';
import { KNOWLEDGE_PROCESSED } from '../../../wire/events/knowledge-processed.ts';
import { DELIVERY_FAILED } from '../../../wire/events/delivery-failed.ts';
import { SUCCESS } from '../../webhooks/delivery-rules.ts';
import { RECOVERY } from '../../webhooks/recovery-schedule.ts';
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
  KNOWLEDGE_PROCESSED,
] as const;
/** Events of a WhatsApp agent. */
const CHAT_EVENTS = [
  'chat_completed',
  'platform_analysis_completed',
  'client_analysis_completed',
  'all_processing_completed',
  DELIVERY_FAILED,
  KNOWLEDGE_PROCESSED,
] as const;
export const ALL_EVENTS = [...VOICE_EVENTS, 'chat_completed'] as const;

const EventType = oneOf(ALL_EVENTS);
const Subscription = Type.Object({
  event_type: Type.Union([EventType, Type.Array(EventType, { minItems: 1, maxItems: 50 })], {
    'x-rule': `must be one of, or a list of, ${ALL_EVENTS.join(', ')}`,
  }),
  callback_url: Type.String({ minLength: 1, maxLength: 2048, example: 'https://example.com/hooks/calls' }),
  method_type: Type.Optional(oneOf(['POST', 'PUT', 'PATCH'], { description: 'Default POST.' })),
  headers: Type.Optional(
    mapOf(Type.String({ maxLength: 4096 }), {
      maxProperties: 50,
      description: 'Sent with each delivery, for example an authorization header for the receiver.',
    }),
  ),
  success: Type.Optional(
    oneOf(SUCCESS, {
      description: 'Statuses that count as success: 200 alone, or every one from 200 to 299. Default 200.',
    }),
  ),
  recovery: Type.Optional(
    oneOf(RECOVERY, {
      description:
        'automatic: deliveries that were given up are kept, and sent in order when the receiver accepts one again; it is probed for 75 hours. manual: POST /webhooks/recover sends them. Default manual.',
    }),
  ),
});

/** Replaces the agent's whole list. Of two subscriptions to one event the later one stays. */
export const editEventSubscriptions = operation(
  Type.Object({
    event_subscriptions: Type.Array(Subscription, {
      maxItems: 50,
      description: "Replaces the agent's whole list.",
    }),
  }),
  ({ agent, config, seal, guard }, input) => {
    const isChat = isChatAgent(agent.agentType);
    const sendable: readonly string[] = isChat ? CHAT_EVENTS : VOICE_EVENTS;
    const sent = input.event_subscriptions.map((subscription, index): EventSubscription => {
      const path = `event_subscriptions[${index}]`;
      const events = [subscription.event_type].flat();
      const foreign = events.find((event) => !sendable.includes(event));
      if (foreign !== undefined) throw errors.eventNeverSent(foreign, isChat ? 'WhatsApp' : 'voice');
      checkReceiverUrl(guard, `${path}.callback_url`, subscription.callback_url);
      checkReceiverHeaders(`${path}.headers`, subscription.headers ?? {});
      return {
        event_type: [...new Set(events)],
        callback_url: subscription.callback_url,
        method_type: subscription.method_type ?? 'POST',
        headers: subscription.headers ?? {},
        ...(subscription.success === undefined ? {} : { success: subscription.success }),
        ...(subscription.recovery === undefined ? {} : { recovery: subscription.recovery }),
      };
    });
    const restored = restoreMaskedHeaders(sent, config.event_subscriptions, (headers) =>
      sealHeaders(seal, headers),
    );
    return { config: { ...config, event_subscriptions: lastOfEachEvent(restored) } };
  },
);

function lastOfEachEvent(subscriptions: readonly EventSubscription[]): EventSubscription[] {
  const owner = new Map(subscriptions.flatMap((s, i) => s.event_type.map((event) => [event, i] as const)));
  return subscriptions
    .map((s, i) => ({ ...s, event_type: s.event_type.filter((event) => owner.get(event) === i) }))
    .filter((s) => s.event_type.length > 0);
}
