import { Type } from 'typebox';
import { ALL_EVENTS } from '../../../domain/agents/edit/edit-event-subscriptions.ts';
import { SUCCESS } from '../../../domain/webhooks/delivery-rules.ts';
import { RECOVERY } from '../../../domain/webhooks/recovery-schedule.ts';
import { mapOf, oneOf } from '../../../shared/schema-parts.ts';

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

export const SubscriptionFields = Type.Object({
  event_subscriptions: Type.Array(Subscription, {
    maxItems: 50,
    description: "Replaces the agent's whole list.",
  }),
});
