import { Type } from 'typebox';
import { ClientAnalysisValues, PlatformAnalysis } from './analysis.ts';
import { CallLevelConfig } from './call-config.ts';
import { IsoTime, LookupId, mapOf, nullable, Offset, oneOf, Uuid } from './common.ts';
import { NetworkQuality } from './network-quality.ts';

const strict = { additionalProperties: false };

const PlaceCallFields = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 200,
      description: "The recipient's name.",
      example: 'Priya',
    }),
    mobile_number: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'E.164 with country code. Premium, shared-cost, short and emergency numbers are refused.',
      example: '+14155550123',
    }),
    agent_id: LookupId,
    from_number_id: Type.Optional(LookupId),
    from_number: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Exactly one of from_number_id and from_number.',
      }),
    ),
    custom_args_values: Type.Optional(
      mapOf(Type.String({ maxLength: 1000 }), {
        maxProperties: 100,
        propertyNames: { minLength: 1, maxLength: 100 },
        description: 'One key per prompt variable.',
        example: { appointment_date: 'Tuesday at ten' },
      }),
    ),
    call_config: Type.Optional(CallLevelConfig),
  },
  strict,
);
export const PlaceCallBody = PlaceCallFields;

export const PlaceCallV2Body = Type.Object(
  {
    ...PlaceCallFields.properties,
    number_pool_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Takes the caller number from a pool. Exactly one of from_number_id, from_number and number_pool_id.',
      }),
    ),
    voice_id: Type.Optional(
      Type.String({
        format: 'uuid',
        'x-rule': 'must be a UUID',
        description: "For this call alone; it must speak the version's languages.",
      }),
    ),
    version_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Default: the active version, or its share of a running A/B test.',
      }),
    ),
    call_category: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    parent_call_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'A call of this workspace that this one follows.',
      }),
    ),
    callback_url: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2048,
        example: 'https://example.com/hooks/call',
        description:
          "Told of this call's call_completed events (one per finished attempt) and its all_processing_completed, beside the agent's subscriptions.",
      }),
    ),
    callback_args: Type.Optional(
      Type.Object(
        {
          headers: Type.Optional(mapOf(Type.String({ maxLength: 4096 }), { maxProperties: 50 })),
          params: Type.Optional(
            mapOf(Type.String({ maxLength: 1000 }), {
              maxProperties: 50,
              propertyNames: { minLength: 1, maxLength: 100 },
              description: 'Added to the query of callback_url.',
            }),
          ),
        },
        strict,
      ),
    ),
  },
  strict,
);

export const PlacedCall = Type.Object({
  status: Type.String({ example: 'success' }),
  data: Type.Object({
    call_id: Uuid,
    call_direction: Type.String({ example: 'outbound' }),
    call_status: Type.String({ example: 'registered' }),
    call_sub_status: Type.String({ example: 'QUEUED' }),
    initiated_at: IsoTime,
    agent_id: Uuid,
    custom_args_values: mapOf(Type.String()),
  }),
  message: Type.String(),
});

export const CallParams = Type.Object({ call_id: LookupId });
export const HangUpAnswer = Type.Object({
  status: Type.String(),
  data: Type.Object({ call_id: Uuid }),
  message: Type.String(),
});

const CALL_STATUSES = [
  'registered',
  'ongoing',
  'retry',
  'completed',
  'failed',
  'error',
  'cancelled',
] as const;
const Moment = Type.String({
  maxLength: 40,
  example: '2026-01-05',
  description: 'A date (the whole day, UTC) or an ISO 8601 time with offset.',
});
const text = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }));

export const HISTORY_FILTERS = {
  bulk_list_id: text,
  agent_id: text,
  status: Type.Optional(oneOf(CALL_STATUSES)),
  call_type: Type.Optional(oneOf(['outbound', 'inbound', 'webcall'])),
  from_number: text,
  to_number: text,
  start_date: Type.Optional(Moment),
  end_date: Type.Optional(Moment),
};

export const HistoryQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, default: 10, description: 'At most 200; more answers 400.' }),
  ),
  offset: Type.Optional(Offset),
  ...HISTORY_FILTERS,
});
export const ExportBody = Type.Object(
  {
    ...HISTORY_FILTERS,
    send_analysis: Type.Optional(
      Type.Boolean({ default: false, description: 'Adds the columns of platform and client analysis.' }),
    ),
  },
  { description: "The history's filters; without any, every call." },
);

const CallFields = {
  id: Uuid,
  call_id: Uuid,
  call_direction: Type.String(),
  call_type: Type.String(),
  call_status: Type.String(),
  call_sub_status: Type.String(),
  from_number: Type.String(),
  to_number: Type.String(),
  callee_name: Type.String(),
  agent_id: Type.String(),
  agent_name: nullable(Type.String()),
  version_id: Type.String(),
  bulk_list_id: nullable(Type.String()),
  call_category: nullable(Type.String()),
  parent_call_id: nullable(Type.String()),
  scheduled_callback_call_id: nullable(
    Type.String({
      description: 'The call that was scheduled because the person asked in this one to be called again.',
    }),
  ),
  custom_args_values: mapOf(Type.String()),
  call_duration: nullable(Type.Number({ description: 'Seconds.' })),
  call_cost: Type.Number({ description: 'Credits.' }),
  retry_count: Type.Integer(),
  next_attempt_at: nullable(IsoTime),
  initiation_time: IsoTime,
  answered_at: nullable(IsoTime),
  ended_at: nullable(IsoTime),
  hangup_by: nullable(Type.String()),
  recording_url: nullable(
    Type.String({ description: 'Signed; needs no key. The same with .mp3 is an MP3.' }),
  ),
};

export const HistoryPage = Type.Object({
  calls: Type.Array(Type.Object(CallFields)),
  limit: Type.Integer(),
  offset: Type.Integer(),
  count: Type.Integer({ description: 'Calls on this page.' }),
  total: Type.Integer(),
});

export const DetailsQuery = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200, description: 'The call ID.' }),
  send_analysis: Type.Optional(Type.Boolean({ default: false })),
});

const Ms = nullable(Type.Number());
const ms = (description: string, example: number) => nullable(Type.Number({ description, example }));

export const CallDetails = Type.Object({
  status: Type.String({ example: 'success' }),
  data: Type.Object({
    ...CallFields,
    transcription_url: nullable(
      Type.String({
        description:
          'A JSON-encoded string: a list of {bot} and {user} entries with timestamp and audio_offset_ms.',
      }),
    ),
    transcript_partial: Type.Boolean({
      description:
        'The conversation was cut off by a crash: transcript, latency and tool log are as far as they were kept.',
    }),
    recording_duration: nullable(Type.Number()),
    attempts: Type.Array(
      Type.Object({
        attempt_number: Type.Integer(),
        started_at: IsoTime,
        ringing_at: nullable(IsoTime),
        answered_at: nullable(IsoTime),
        ended_at: nullable(IsoTime),
        status: Type.String(),
        sub_status: nullable(Type.String()),
        sip_code: nullable(
          Type.Integer({ example: 486, description: 'The final SIP answer that was not 200.' }),
        ),
        sip_call_id: nullable(
          Type.String({ description: 'Call-ID of the SIP dialog, as the carrier logs it.' }),
        ),
        reason: nullable(
          Type.String({ description: 'Why it ended, as the far side or the service put it.' }),
        ),
        setup_seconds: nullable(Type.Number({ example: 0.41, description: 'INVITE to the first ringing.' })),
        ring_seconds: nullable(Type.Number({ example: 6.2 })),
        duration: nullable(Type.Number()),
        cost: Type.Number({ description: 'Credits.' }),
        recording_url: nullable(
          Type.String({
            description: "This attempt's own recording; the call's is that of the last one recorded.",
          }),
        ),
      }),
    ),
    latency: Type.Object({
      turns: Type.Array(
        Type.Object({
          turn: Type.Integer(),
          endpointing_ms: ms('Silence waited until the turn was taken for over.', 280),
          recognition_ms: ms("Caller's last sound to the final transcript; runs beside endpointing.", 310),
          model_ms: ms('Request to the first words of the model.', 120),
          voice_ms: ms('First words to the first packet of speech.', 60),
          network_ms: ms(
            'Round trip to the far side as RTCP measured it, on top of total_ms; null when it sent no report.',
            38,
          ),
          total_ms: ms("Caller's last sound to the first packet of the reply.", 490),
          prepared: Type.Boolean({ description: 'The reply was begun before the turn was over.' }),
        }),
      ),
      p50_ms: Ms,
      p95_ms: Ms,
      max_ms: Ms,
    }),
    network: nullable(NetworkQuality),
    transfer_network: Type.Array(NetworkQuality, {
      description:
        'The same of each second leg that was answered: of whom the caller was handed to by a warm transfer.',
    }),
    first_utterance_seconds: nullable(Type.Number()),
    interruptions: Type.Integer({ description: 'Times the caller cut the agent short.' }),
    tool_call_logs: Type.Array(Type.Unknown()),
    erased_at: nullable(IsoTime),
    platform_analysis: Type.Optional(PlatformAnalysis),
    client_analysis: Type.Optional(ClientAnalysisValues),
  }),
});
