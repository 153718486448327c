import { Type } from 'typebox';
import { CAMPAIGN_COMPLETED } from '../../wire/events/campaign-completed.ts';
import { ALL_EVENTS } from '../../domain/agents/edit/edit-event-subscriptions.ts';
import { RECOVERY } from '../../domain/webhooks/recovery-schedule.ts';
import { DELIVERY_STATES } from '../../domain/webhooks/delivery-log.ts';
import {
  IsoTime,
  limit,
  LookupId,
  mapOf,
  Moment,
  NextCursor,
  nullable,
  Offset,
  oneOf,
  PageCursor,
  Uuid,
} from '../common/schemas.ts';

const Method = oneOf(['POST', 'PUT', 'PATCH']);
const ReceiverUrl = Type.String({
  minLength: 1,
  maxLength: 2048,
  example: 'https://example.com/hooks/calls',
});

export const SigningSecretAnswer = Type.Object({
  secret: Type.String({
    description: 'Signs every delivery (Standard Webhooks).',
    example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  }),
  created_at: IsoTime,
  retiring: Type.Array(Type.Object({ created_at: IsoTime, retires_at: IsoTime }), {
    description: 'Previous secrets, which also sign until retires_at.',
  }),
});
export const RotateBody = Type.Object({
  overlap_hours: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 168,
      default: 24,
      description: 'How long the previous secret also signs; 0: not at all.',
    }),
  ),
});

const entry = {
  delivery_id: Uuid,
  event_id: Type.String({ format: 'uuid', description: 'The header webhook-id.' }),
  event_type: Type.String(),
  call_id: Uuid,
  callback_url: Type.String(),
  method_type: Type.String(),
  state: oneOf(DELIVERY_STATES, {
    description: 'pending: an attempt is due; failed: the last attempt failed.',
  }),
  attempt_count: Type.Integer(),
  last_status: nullable(Type.Integer()),
  last_error: nullable(Type.String()),
  next_attempt_at: nullable(IsoTime),
  resend_count: Type.Integer(),
  is_test: Type.Boolean(),
  created_at: IsoTime,
  finished_at: nullable(IsoTime),
};
const Delivery = Type.Object(entry);
export const DeliveryList = Type.Object({
  deliveries: Type.Array(Delivery),
  limit: Type.Integer(),
  offset: Type.Integer(),
  count: Type.Integer(),
  has_more: Type.Boolean(),
  next_cursor: NextCursor,
});
export const DeliveryAnswer = Type.Object({
  delivery: Type.Object({
    ...entry,
    request: Type.Object(
      {
        method: Type.String(),
        url: Type.String(),
        headers: mapOf(Type.String(), {
          description: 'The headers of the subscription; secrets are masked.',
        }),
        body: mapOf(Type.Unknown()),
      },
      { description: 'The request. The signature differs with each attempt and is not stored.' },
    ),
    attempts: Type.Array(
      Type.Object({
        attempt: Type.Integer(),
        at: IsoTime,
        duration_ms: Type.Number(),
        status: nullable(Type.Integer()),
        body: nullable(Type.String({ description: 'The first 1024 bytes of the response.' })),
        error: nullable(
          Type.String({
            description:
              'Why there was no response: dns, refused, tls, timeout, network, blocked, invalid_url, invalid_request, too_large, broken_off, interrupted.',
          }),
        ),
        detail: nullable(Type.String()),
      }),
      { description: 'The last 20 attempts.' },
    ),
  }),
});
export const SentAnswer = Type.Object({ message: Type.String(), delivery: Delivery });
export const DeliveryParams = Type.Object({ delivery_id: LookupId });
export const DeliveryQuery = Type.Object({
  call_id: Type.Optional(LookupId),
  event_type: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  state: Type.Optional(oneOf(DELIVERY_STATES)),
  since: Type.Optional(
    Type.Unsafe<string>({
      ...Moment,
      description: 'A date or an ISO 8601 time with offset: deliveries created since then.',
    }),
  ),
  limit: Type.Optional(limit('Default 50, at most 200.')),
  offset: Type.Optional(Offset),
  cursor: Type.Optional(PageCursor),
});

export const FailureQuery = Type.Object({
  limit: Type.Optional(limit('Default 50, at most 200.')),
  offset: Type.Optional(Offset),
  cursor: Type.Optional(PageCursor),
});
const FailingReceiver = Type.Object({
  receiver_id: Uuid,
  callback_url: Type.String(),
  method_type: Type.String(),
  recovery: oneOf(RECOVERY),
  failing_since: IsoTime,
  last_failed_at: IsoTime,
  disabled_at: nullable({
    ...IsoTime,
    description:
      'It gets no events since then, because it accepted nothing for five days; null: it gets them.',
  }),
  kept_count: Type.Integer({ description: 'Deliveries that are sent when it is back.' }),
  dropped_count: Type.Integer({
    description:
      'Deliveries that are not: older than the newest 1000 of the workspace, or refused while others were accepted.',
  }),
  next_probe_at: nullable({
    ...IsoTime,
    description:
      'Null: the probes are over, nothing is kept, or the receiver is disabled. A success of a new event ends the outage.',
  }),
});
export const ReceiverParams = Type.Object({ receiver_id: LookupId });
export const EnabledAnswer = Type.Object({ message: Type.String(), receiver: FailingReceiver });

export const FailureList = Type.Object({
  failures: Type.Array(
    Type.Object({
      ...entry,
      kept: Type.Boolean({
        description: 'It is sent when the receiver is back: the subscription recovers automatically.',
      }),
    }),
  ),
  receivers: Type.Array(FailingReceiver, {
    description: 'Receivers that accept nothing, the longest outage first.',
  }),
  limit: Type.Integer(),
  offset: Type.Integer(),
  count: Type.Integer(),
  has_more: Type.Boolean(),
  next_cursor: NextCursor,
});

export const RecoverBody = Type.Object(
  {
    since: Moment,
    callback_url: Type.Optional(ReceiverUrl),
  },
  { additionalProperties: false },
);
export const RecoverAnswer = Type.Object({ message: Type.String(), recovered_count: Type.Integer() });

export const TestEventBody = Type.Object(
  {
    event_type: oneOf([...ALL_EVENTS, CAMPAIGN_COMPLETED]),
    agent_id: Type.Optional(LookupId),
    campaign_id: Type.Optional(LookupId),
    callback_url: Type.Optional(ReceiverUrl),
    method_type: Type.Optional(Method),
    headers: Type.Optional(mapOf(Type.String({ maxLength: 4096 }), { maxProperties: 50 })),
  },
  {
    additionalProperties: false,
    description:
      'Exactly one receiver: agent_id (the subscription of its active version), campaign_id (the callback_url of the campaign) or callback_url.',
  },
);
