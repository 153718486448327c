import { Type } from 'typebox';
import { CallbackArgs } from './callback-schemas.ts';
import { ClientAnalysisValues, Evaluations, PlatformAnalysis } from '../analysis/schemas.ts';
import { PurposeFields } from '../common/purpose-schemas.ts';
import { CallLevelConfig } from '../agents/call-config-schemas.ts';
import { CallingWindow, RequestWarnings } from '../common/calling-window-schemas.ts';
import { IsoTime, LookupId, mapOf, NextCursor, nullable, oneOf, Uuid } from '../common/schemas.ts';
import { HangupBy, ResultFields, SubStatus } from './result-schemas.ts';
import { AnsweredBy } from './answered-by-schemas.ts';
import { RepliedEntry, ToolCall } from './conversation-schemas.ts';
import { FollowUp } from './follow-up-schemas.ts';
import { Failure } from './failure-schemas.ts';
import { CallAgents, CallUsage, LineSource, PartName, VendorFault } from './vendor-usage-schemas.ts';
import { NetworkQuality } from './network-quality-schemas.ts';
import { Finding } from '../quality/schemas.ts';
import { CallScore } from '../quality/scorecard-schemas.ts';

export const CALL_STATUSES = [
  'registered',
  'ongoing',
  'retry',
  'completed',
  'failed',
  'error',
  'cancelled',
] as const;

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

const { name, mobile_number, agent_id, custom_args_values } = PlaceCallFields.properties;
export const TestCallBody = Type.Object(
  { name, mobile_number, agent_id, from_number_id: LookupId, custom_args_values },
  strict,
);

export const PlaceCallV2Body = Type.Object(
  {
    ...PlaceCallFields.properties,
    number_pool_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Chooses the caller number from a pool. Exactly one of from_number_id, from_number and number_pool_id.',
      }),
    ),
    voice_id: Type.Optional(
      Type.String({
        format: 'uuid',
        'x-rule': 'must be a UUID',
        description: "For this call only; it must speak the version's languages.",
      }),
    ),
    version_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Default: the active version, or the version that a running A/B test assigns.',
      }),
    ),
    call_category: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    parent_call_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The call of this workspace that this one follows up.',
      }),
    ),
    callback_url: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2048,
        example: 'https://example.com/hooks/call',
        description:
          "Receives this call's call_completed events (one per finished attempt) and its all_processing_completed, in addition to the agent's subscriptions.",
      }),
    ),
    callback_args: CallbackArgs,
  },
  strict,
);

export const PlacedCall = Type.Object({
  status: Type.String({ example: 'success' }),
  data: Type.Object({
    call_id: Uuid,
    call_direction: Type.String({ example: 'outbound' }),
    call_status: oneOf(CALL_STATUSES),
    call_sub_status: Type.String({ example: 'QUEUED' }),
    initiated_at: IsoTime,
    agent_id: Uuid,
    custom_args_values: mapOf(Type.String()),
    next_attempt_at: IsoTime,
    calling_window: CallingWindow,
    warnings: RequestWarnings,
  }),
  message: Type.String(),
});

export const CallParams = Type.Object({ call_id: LookupId });
export const HangUpAnswer = Type.Object({
  status: Type.String(),
  data: Type.Object({ call_id: Uuid }),
  message: Type.String(),
});

const CallFields = {
  id: Uuid,
  call_id: Uuid,
  call_direction: Type.String(),
  call_type: Type.String(),
  call_status: oneOf(CALL_STATUSES),
  call_sub_status: SubStatus,
  ...ResultFields,
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
      description: 'The callback that the person requested in this call.',
    }),
  ),
  custom_args_values: mapOf(Type.String()),
  call_duration: nullable(Type.Number({ description: 'Seconds.' })),
  call_cost: Type.Number({ description: 'Credits.' }),
  retry_count: Type.Integer({ description: 'Retries used so far: attempts after the first.' }),
  next_attempt_at: nullable(IsoTime),
  initiation_time: {
    ...IsoTime,
    description:
      'When the call was placed, its list was uploaded, or it came in. That it was dialled says last_dialed_at.',
  },
  last_dialed_at: nullable({
    ...IsoTime,
    description: 'When it was last dialled, or came in; null until then.',
  }),
  answered_at: nullable(IsoTime),
  ended_at: nullable(IsoTime),
  hangup_by: HangupBy,
  recording_url: nullable(
    Type.String({
      description:
        'Signed; needs no key. Replace .wav by .mp3 for an MP3. Valid for RECORDING_LINK_DAYS (30 by default); every answer has a fresh link.',
    }),
  ),
  ...PurposeFields,
};

export const HistoryPage = Type.Object({
  calls: Type.Array(Type.Object(CallFields)),
  limit: Type.Integer(),
  offset: Type.Integer(),
  count: Type.Integer({ description: 'Calls on this page.' }),
  total: Type.Integer(),
  next_cursor: NextCursor,
});

export const DetailsQuery = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200, description: 'The call ID.' }),
  send_analysis: Type.Optional(Type.Boolean({ default: false })),
});

const ms = (description: string, example: number) => nullable(Type.Number({ description, example }));

const Tokens = (description: string) => nullable(Type.Integer({ description }));

export const CallDetails = Type.Object({
  status: Type.String({ example: 'success' }),
  data: Type.Object({
    ...CallFields,
    failure: Failure,
    transcription_url: nullable(
      Type.String({
        description:
          'A JSON-encoded string: a list of {bot} and {user} entries with timestamp and audio_offset_ms.',
      }),
    ),
    transcript: Type.Union([Type.Array(RepliedEntry), Type.Null()], {
      description:
        'The same conversation as a list, with the engine that gave each reply. Null where transcription_url is null.',
    }),
    transcript_partial: Type.Boolean({
      description:
        'A crash cut the conversation off: transcript, latency and tool log end at the last saved state.',
    }),
    recording_duration: nullable(Type.Number()),
    recording_pauses: Type.Array(
      Type.Object({
        from_seconds: Type.Number(),
        to_seconds: nullable(Type.Number({ description: 'Null: to the end.' })),
      }),
      {
        description:
          'Stretches of the recording that were left silent, because the agent paused it or asked for sensitive keys.',
      },
    ),
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
          Type.Integer({ example: 486, description: 'The final SIP response other than 200.' }),
        ),
        sip_call_id: nullable(
          Type.String({ description: 'Call-ID of the SIP dialog, as the carrier logs it.' }),
        ),
        reason: nullable(
          Type.String({
            description: 'Why the attempt ended, in the words of the far side or of the service.',
          }),
        ),
        failure: Failure,
        sip_messages: Type.Array(
          Type.Object({
            at: IsoTime,
            direction: oneOf(['in', 'out'], { description: 'in: received; out: sent.' }),
            message: Type.String({ example: '486 INVITE', description: 'Method, or status and method.' }),
            note: Type.String({
              example: 'Busy Here',
              description: 'Reason phrase, Reason, Retry-After and Warning; runs of digits are masked.',
            }),
          }),
          {
            description:
              'The first and the last 30 SIP messages of the attempt, without those of transfer legs; empty while it is live, and after an erasure.',
          },
        ),
        setup_seconds: nullable(
          Type.Number({ example: 0.41, description: 'From INVITE to the first ringing.' }),
        ),
        ring_seconds: nullable(Type.Number({ example: 6.2 })),
        duration: nullable(Type.Number()),
        cost: Type.Number({ description: 'Credits.' }),
        recording_url: nullable(
          Type.String({
            description:
              "The recording of this attempt; the call's recording_url is that of the last recorded attempt.",
          }),
        ),
      }),
    ),
    latency: Type.Object({
      turns: Type.Array(
        Type.Object({
          turn: Type.Integer(),
          endpointing_ms: ms('Silence until the endpointer ended the turn.', 280),
          recognition_ms: ms(
            "From the caller's last sound to the final transcript; runs in parallel with endpointing.",
            310,
          ),
          model_ms: ms("From the request to the model's first words.", 120),
          voice_ms: ms('From the first words to the first RTP packet of speech.', 60),
          network_ms: ms(
            'Round trip to the far side by RTCP, not part of total_ms; null without RTCP reports.',
            38,
          ),
          total_ms: ms("From the caller's last sound to the first packet of the reply.", 490),
          prepared: Type.Boolean({
            description: 'The reply was started speculatively, before the end of the turn.',
          }),
          first_audio_ms: ms("From the first sentence's request to its first audio.", 55),
          stt: PartName,
          llm: PartName,
          ...LineSource,
          tts: PartName,
          input_tokens: Tokens(
            'All of the requests of the turn, replies that were prepared and dropped included.',
          ),
          cached_tokens: Tokens("Of the input tokens, read from the vendor's cache."),
          output_tokens: Tokens('Null: recorded by an earlier version.'),
          characters: Tokens('Given to the speaker.'),
          heard_characters: Tokens('Of the agent, heard by the caller.'),
          heard: nullable(Type.String({ description: "The agent's words as far as the caller heard them." })),
        }),
      ),
      p50_ms: nullable(Type.Number()),
      p95_ms: nullable(Type.Number()),
      max_ms: nullable(Type.Number()),
    }),
    usage: CallUsage,
    agents: CallAgents,
    vendor_faults: Type.Array(VendorFault, {
      description: 'What went wrong at recognisers, models and speakers of vendors: the first 20.',
    }),
    network: nullable(NetworkQuality),
    transfer_network: Type.Array(NetworkQuality, {
      description: 'The same for each answered transfer leg of a warm transfer.',
    }),
    first_utterance_seconds: nullable(Type.Number()),
    answered_by: AnsweredBy,
    interruptions: Type.Integer({ description: 'How often the caller interrupted the agent.' }),
    follow_up: FollowUp,
    findings: Type.Union([Type.Array(Finding), Type.Null()], {
      description: 'What the detectors found, in time. Null: they have not read the call.',
    }),
    score: nullable(CallScore),
    tool_call_logs: Type.Array(ToolCall),
    feedback: nullable(
      Type.Object(
        { rating: Type.Integer(), comment: nullable(Type.String()), at: IsoTime },
        { description: "The caller's rating, 1 to 5." },
      ),
    ),
    listeners: Type.Array(Type.Object({ listener: Type.String(), from: IsoTime, until: nullable(IsoTime) }), {
      description: 'Members of the workspace who listened to the call live; until is null while they do.',
    }),
    erased_at: nullable(IsoTime),
    platform_analysis: Type.Optional(PlatformAnalysis),
    client_analysis: Type.Optional(ClientAnalysisValues),
    evaluations: Type.Optional(Evaluations),
  }),
});
