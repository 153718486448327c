import { Type } from 'typebox';
import { SUCCESS } from '../../domain/webhooks/delivery-rules.ts';
import { CampaignCallConfig } from '../agents/call-config-schemas.ts';
import { CampaignReason } from '../common/campaign-reason.ts';
import { RequestWarnings, WindowFields } from '../common/calling-window-schemas.ts';
import { CALL_PURPOSES } from '../../shared/call-purposes.ts';
import { PurposeFields } from '../common/purpose-schemas.ts';
import { CALL_STATUSES } from '../calls/schemas.ts';
import {
  IsoTime,
  LookupId,
  mapOf,
  NextCursor,
  nullable,
  Offset,
  oneOf,
  PageCursor,
  Uuid,
} from '../common/schemas.ts';

const strict = { additionalProperties: false };

const FromNumbers = Type.Array(LookupId, {
  minItems: 1,
  maxItems: 200,
  description:
    'from_number_id of the caller numbers for the number rotation; no test numbers. Of a campaign of a WhatsApp agent: whatsapp_number_id of its numbers, which send in turn.',
});
const PoolId = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Chooses the caller numbers from a pool. Exactly one of from_numbers and number_pool_id.',
});
const CircuitBreaker = Type.Object(
  {
    failed_share: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1,
        description: 'Pauses when this share of the last calls failed. Default 0.5.',
      }),
    ),
    window_calls: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: 'The number of last calls that count. Default 50.',
      }),
    ),
    minimum_calls: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: 'With fewer calls the breaker does not open. Default 20.',
      }),
    ),
  },
  {
    ...strict,
    description:
      "Pauses the campaign when calls fail at the carrier or in the service; a busy or unanswered call is not a failure. Absent keys: the workspace's values, then the defaults.",
  },
);
const START = {
  callback_success: Type.Optional(
    oneOf(SUCCESS, { description: 'Statuses of callback_url that count as success. Default 200.' }),
  ),
  agent_id: LookupId,
  callback_url: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      example: 'https://example.com/hooks/campaign',
      description:
        "Receives every call's call_completed, then campaign_completed once; of a campaign of messages the latter alone.",
    }),
  ),
  concurrency_percentage: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description:
        "The campaign's share of the workspace's concurrency, or of the messages sent in parallel.",
    }),
  ),
  circuit_breaker: Type.Optional(CircuitBreaker),
  purpose: Type.Optional(
    oneOf(CALL_PURPOSES, {
      description:
        'What kind of commercial calls these are. 400 when a caller number is for another kind. Of calls alone.',
    }),
  ),
  dlt_template_id: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,30}$',
      'x-rule': 'must be 1 to 30 digits',
      example: '1107161234567890123',
      description:
        "The template of the calls as India's operators registered it; records of its calls have it.",
    }),
  ),
};

export const StartBody = Type.Object({ ...START, list_id: LookupId, from_numbers: FromNumbers }, strict);
export const StartV2Body = Type.Object(
  {
    ...START,
    list_id: LookupId,
    from_numbers: Type.Optional(FromNumbers),
    number_pool_id: Type.Optional(PoolId),
  },
  strict,
);
const Window = Type.Object(WindowFields, { description: 'When contacts may be called.' });
const Reach = Type.Object({
  waiting: Type.Integer({ description: 'Contacts that were not called yet, or wait for a retry.' }),
  callable: Type.Integer({ description: 'Of these, the window is open for them at starts_at.' }),
  outside_window: Type.Integer({ description: 'Of these, the window opens later for them.' }),
});
/** When a started campaign calls; null: it sends messages. */
const STARTED = {
  starts_at: nullable(IsoTime),
  calling_window: nullable(Window),
  contacts: nullable(Reach),
  warnings: RequestWarnings,
};
export const CampaignPreview = Type.Object({
  campaign_id: Uuid,
  starts_at: { ...IsoTime, description: 'The start time of the campaign, or now.' },
  calling_window: Window,
  contacts: Reach,
  warnings: RequestWarnings,
  zones: Type.Array(
    Type.Object({
      timezones: Type.Array(Type.String({ example: 'America/New_York' }), {
        description: 'Where the numbers may be, by country and area code; empty: numbers of no country.',
      }),
      contacts: Type.Integer(),
      local_time: Type.String({
        description: 'starts_at on the clock of the first zone, ISO 8601 with offset.',
        example: '2026-01-05T05:12:00-05:00',
      }),
      is_open: Type.Boolean({ description: 'They would be called at starts_at.' }),
      opens_at: nullable(
        Type.String({
          description: 'Null: it is open, or never opens.',
          example: '2026-01-05T09:00:00-05:00',
        }),
      ),
      is_night: Type.Boolean({
        description: 'Their phones would ring before 08:00 or after 21:00 on their clock.',
      }),
    }),
    { description: 'The largest group first.' },
  ),
});

export const StartAnswer = Type.Object({
  status: Type.String({ example: 'campaign registered successfully!' }),
  message: Type.String(),
  list_id: Uuid,
  has_ongoing_calls: Type.Boolean({
    description: 'Calls of the workspace are in progress; they share its limits.',
  }),
  ...STARTED,
});

export const MakeCallsBody = Type.Object(
  {
    ...START,
    bulk_list_id: LookupId,
    from_numbers: Type.Optional(FromNumbers),
    number_pool_id: Type.Optional(PoolId),
  },
  strict,
);
export const MakeCallsAnswer = Type.Object({
  message: Type.String(),
  bulk_list_id: Uuid,
  status: Type.String({ example: 'scheduled' }),
  ...STARTED,
});

const CAMPAIGN_STATES = [
  'uploaded',
  'verifying',
  'draft',
  'scheduled',
  'ongoing',
  'paused',
  'completed',
  'terminated',
  'failed',
  'insufficient_balance',
] as const;
const State = oneOf(CAMPAIGN_STATES, { example: 'ongoing' });

export const CampaignParams = Type.Object({ campaign_id: LookupId });
export const BalanceParams = Type.Object({ bulk_list_id: LookupId });
export const BalanceAnswer = Type.Object({
  bulk_list_id: Uuid,
  status: State,
  required_credits: Type.Number({ description: 'One pulse per waiting contact.' }),
  available_credits: Type.Number({
    description: 'The balance without the credits that live calls have locked.',
  }),
  sufficient_balance: Type.Boolean(),
  message: Type.String(),
});

export const CampaignsQuery = Type.Object({
  call_count: Type.Optional(Type.Boolean({ default: true, description: 'False omits the counts.' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, default: 10, description: 'More answers 400.' }),
  ),
  offset: Type.Optional(Offset),
  cursor: Type.Optional(PageCursor),
});

const COUNTS = {
  total_count: Type.Integer({ description: 'Contacts: the sum of the other counts.' }),
  registered_count: Type.Integer(),
  ongoing_count: Type.Integer(),
  retry_count: Type.Integer(),
  completed_count: Type.Integer(),
  failed_count: Type.Integer({ description: 'Ended as failed or as error.' }),
  cancelled_count: Type.Integer(),
};
const MESSAGE_COUNTS = {
  sent_count: Type.Integer({
    description: 'Messages that WhatsApp accepted, delivered and read ones included.',
  }),
  delivered_count: Type.Integer({ description: 'Delivered, read ones included.' }),
  read_count: Type.Integer(),
  answered_count: Type.Integer({ description: 'Contacts who wrote back.' }),
};
const LISTED = {
  id: Uuid,
  name: Type.String(),
  campaign_status: State,
  message: nullable(Type.String({ description: 'The reason for the state, in English.' })),
  reason: CampaignReason,
  agent_id: Uuid,
  campaign_start_time: nullable(IsoTime),
  campaign_end_time: nullable(IsoTime),
  created_at: IsoTime,
  updated_at: IsoTime,
  started_at: nullable(IsoTime),
  ended_at: nullable(IsoTime),
  channel: oneOf(['call', 'whatsapp'], { description: 'How the campaign reaches its contacts.' }),
  template: nullable(
    Type.Object(
      { name: Type.String(), language: Type.String() },
      { description: 'The template that a campaign of messages sends.' },
    ),
  ),
};
const optional = <T extends Record<string, Type.TSchema>>(fields: T) =>
  Type.Partial(Type.Object(fields)).properties;
export const CampaignList = Type.Object({
  campaigns: Type.Array(Type.Object({ ...LISTED, ...optional({ ...COUNTS, ...MESSAGE_COUNTS }) })),
  pagination: Type.Object({ total: Type.Integer(), limit: Type.Integer(), offset: Type.Integer() }),
  next_cursor: NextCursor,
});

export const CampaignAnswer = Type.Object({
  campaign: Type.Object({
    ...LISTED,
    ...COUNTS,
    ...optional(MESSAGE_COUNTS),
    list_id: Uuid,
    bulk_list_id: Uuid,
    call_config: nullable(CampaignCallConfig),
    from_numbers: Type.Array(Uuid),
    number_pool_id: nullable(Type.String()),
    callback_url: nullable(Type.String()),
    concurrency_percentage: nullable(Type.Integer()),
    ...PurposeFields,
    circuit_breaker: Type.Object({
      failed_share: Type.Number(),
      window_calls: Type.Integer(),
      minimum_calls: Type.Integer(),
    }),
    retry_budget: Type.Object(
      {
        retry_count: Type.Integer(),
        retry_busy: Type.Integer(),
        retry_not_picked: Type.Integer(),
        retry_failed: Type.Integer(),
      },
      {
        description:
          'The rules in force: how many retries a contact may have after its first attempt (2 unless call_config says otherwise), and the minutes before one after each outcome.',
      },
    ),
    spent_credits: Type.Number({ description: 'For the finished contacts.' }),
    required_credits: Type.Number({ description: 'One pulse per waiting contact.' }),
    total_rows: Type.Integer(),
    successful_rows: Type.Integer(),
    failed_rows: Type.Integer(),
  }),
});

export const HoldBody = Type.Object({ campaign_id: LookupId }, strict);
export const HoldAnswer = Type.Object({ message: Type.String(), campaign_id: Uuid, campaign_status: State });

const MESSAGE_STATES = ['sending', 'unsure', 'sent', 'delivered', 'read', 'failed'] as const;
export const MessagesQuery = Type.Object({
  status: Type.Optional(oneOf(CALL_STATUSES)),
  delivery_status: Type.Optional(oneOf(MESSAGE_STATES)),
  mobile_number: Type.Optional(Type.String({ maxLength: 20, example: '+919876543210' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, default: 10, description: 'More answers 400.' }),
  ),
  offset: Type.Optional(Offset),
});
export const CampaignMessages = Type.Object({
  messages: Type.Array(
    Type.Object({
      id: Uuid,
      row: Type.Integer({ description: 'Of the uploaded list, from 1.' }),
      mobile_number: Type.String(),
      callee_name: Type.String(),
      status: oneOf(CALL_STATUSES, { description: 'As of a call: waiting, being sent, or how it ended.' }),
      sub_status: Type.String({ example: 'DELIVERED' }),
      delivery_status: nullable(
        oneOf(MESSAGE_STATES, {
          description:
            'What WhatsApp reports; unsure: the answer to the request was lost. Null: nothing was sent.',
        }),
      ),
      error_code: nullable(Type.Integer({ description: "WhatsApp's error code." })),
      text: nullable(Type.String({ description: 'The words as they were sent.' })),
      attempts: Type.Integer(),
      retry_count: Type.Integer(),
      whatsapp_number_id: nullable(Uuid),
      from_number: nullable(Type.String()),
      whatsapp_message_id: nullable(Type.String()),
      sent_at: nullable(IsoTime),
      delivered_at: nullable(IsoTime),
      read_at: nullable(IsoTime),
      answered_at: nullable(IsoTime),
      ended_at: nullable(IsoTime),
      next_attempt_at: nullable(IsoTime),
      chat_id: nullable(Uuid),
      custom_args_values: mapOf(Type.String()),
    }),
  ),
  limit: Type.Integer(),
  offset: Type.Integer(),
  count: Type.Integer(),
  total: Type.Integer(),
});
