import { Type, type TSchema } from 'typebox';
import { RECOVERY } from '../../domain/webhooks/recovery-schedule.ts';
import { Evaluations } from '../analysis/schemas.ts';
import { AnsweredBy } from '../calls/answered-by-schemas.ts';
import { ToolCall } from '../calls/conversation-schemas.ts';
import { Failure } from '../calls/failure-schemas.ts';
import { BaseStatus } from '../knowledge/schemas.ts';
import { IsoTime, mapOf, nullable, oneOf, Uuid } from '../common/schemas.ts';

const Anything = mapOf(Type.Unknown());
const seconds = (description: string) => Type.Number({ minimum: 0, description });
const Statuses = ['registered', 'ongoing', 'retry', 'completed', 'failed', 'error', 'cancelled'] as const;

const Test = Type.Optional(Type.Literal(true, { description: 'Only in a test event.' }));

/** Events of earlier versions have none. */
const SentEvaluations = Type.Optional(Evaluations);

/** The fields of every event of a call. */
const Envelope = {
  event_id: Type.String({
    format: 'uuid',
    description: 'Also the header webhook-id; constant over retries.',
  }),
  call_id: Uuid,
  call_sid: Type.String({
    description: 'The SIP Call-ID of the attempt, or the call_id while there is none.',
  }),
  agent_id: Uuid,
  agent_name: Type.String(),
  version_id: Uuid,
  workspace_id: Uuid,
  bulk_list_id: nullable(Uuid),
  custom_args_values: mapOf(Type.String()),
  from_number: Type.String(),
  to_number: Type.String(),
  call_type: oneOf(['outbound', 'inbound', 'webcall', 'chat'], {
    description: 'chat: the event of a chat, and call_id is the id of the chat.',
  }),
  channel: Type.Optional(oneOf(['whatsapp', 'web'], { description: 'Of a chat.' })),
  status: oneOf(Statuses, { description: 'After the event.' }),
  sub_status: Type.String(),
  retry_count: Type.Integer({ minimum: 0 }),
  call_cost: Type.Number({ minimum: 0, description: 'Credits, all attempts so far.' }),
  occurred_at: IsoTime,
  tool_call_logs: Type.Array(ToolCall),
  test: Test,
  erased: Type.Optional(
    Type.Literal(true, {
      description:
        "Only after an erasure: the person's number is masked; transcript and other personal data are empty or null.",
    }),
  ),
};

/** Absent in events that earlier versions stored. */
const LaterKeys = {
  at: Type.Optional(IsoTime),
  offset_ms: Type.Optional(
    nullable(
      Type.Integer({ description: 'From the start of the recording, in milliseconds; null without one.' }),
    ),
  ),
};
const entryOf = (...roles: ('agent' | 'user' | 'person')[]) => ({
  role: Type.Optional(oneOf(roles)),
  text: Type.Optional(Type.String({ description: 'As bot or user.' })),
  ...LaterKeys,
});
const ChatLine = Type.Object(
  {
    role: oneOf(['agent', 'user', 'person']),
    text: Type.String(),
    ...LaterKeys,
    timestamp: { ...IsoTime, description: 'As at.' },
  },
  { description: 'A message of a chat; person: somebody of the workspace, after a take-over.' },
);
const Speaker = Type.Object(
  { agent_id: Uuid, agent_name: Type.String() },
  { description: 'The agent that the call was handed over to and that said it; absent: the first one.' },
);
const Line = Type.Union([
  Type.Object(
    { bot: Type.String(), ...entryOf('agent', 'person'), agent: Type.Optional(Speaker) },
    { description: 'What the agent said, or a person of the workspace in its place.' },
  ),
  Type.Object({ user: Type.String(), ...entryOf('user') }, { description: 'What the person said.' }),
  ChatLine,
]);
/** Events of earlier versions have none. */
const mos = (description: string) => Type.Optional(nullable(Type.Number({ description, minimum: 1 })));
const Conversation = {
  call_duration: seconds('Talk time.'),
  called_on: IsoTime,
  agent_message_count: Type.Integer({ minimum: 0 }),
  user_message_count: Type.Integer({ minimum: 0 }),
  transcript: Type.Array(Line),
  overall_latency_seconds: nullable(Type.Number({ minimum: 0 })),
  first_utterance_seconds: nullable(Type.Number({ minimum: 0 })),
  hangup_by: nullable(Type.String()),
  mos_received: mos(
    'Mean opinion score (1 to 4.5) of the audio that the service received; null: not measured.',
  ),
  mos_received_lowest: mos('Of its worst five seconds.'),
  mos_sent: mos('Of the audio that the service sent, from the RTCP reports of the far side.'),
  mos_sent_lowest: mos('Of its worst five seconds.'),
  answered_by: AnsweredBy,
  /** Events of earlier versions have none. */
  failure: Type.Optional(Failure),
};
const Analysis = {
  ...Envelope,
  analysis_data: Type.Union([Anything, Type.Null()], {
    description: 'Null after an erasure, or after the retention period.',
  }),
};

/** The fields of a campaign's event, which belongs to no single call. */
const CampaignEnvelope = {
  event_id: Envelope.event_id,
  workspace_id: Uuid,
  agent_id: Uuid,
  agent_name: Type.String(),
  bulk_list_id: Uuid,
  campaign_name: Type.String(),
  status: Type.String({ description: 'How the campaign ended.' }),
  counts: mapOf(Type.Integer({ minimum: 0 }), {
    description: 'Its contacts by outcome; of a campaign of messages also by what WhatsApp reported.',
  }),
  started_at: nullable(IsoTime),
  ended_at: nullable(IsoTime),
  occurred_at: IsoTime,
  test: Test,
};

const event = <T extends Record<string, TSchema>>(name: string, description: string, more: T) =>
  Type.Object({ event_type: Type.Literal(name), ...more }, { $id: `${name}.json`, title: name, description });

/** The body of every delivered event by its event_type: the source of docs/schemas and of the types. */
export const WEBHOOK_EVENTS: Readonly<Record<string, TSchema>> = {
  call_started: event('call_started', 'An attempt begins, before its INVITE.', Envelope),
  call_ringing: event('call_ringing', 'The far side rings.', Envelope),
  call_ongoing: event('call_ongoing', 'The call was answered.', Envelope),
  call_completed: event('call_completed', 'An attempt ended, with any outcome.', {
    ...Envelope,
    ...Conversation,
    recording_url: Type.Null(),
  }),
  recording_completed: event('recording_completed', 'The recording of an attempt is available.', {
    ...Envelope,
    recording_url: Type.Union([Type.String(), Type.Null()], {
      description: 'Valid for RECORDING_LINK_DAYS from the event. Null after an erasure.',
    }),
    recording_duration: seconds('Length of the recording.'),
  }),
  platform_analysis_completed: event(
    'platform_analysis_completed',
    'The conversation was summarised, classified and judged.',
    { ...Analysis, evaluations: SentEvaluations },
  ),
  client_analysis_completed: event('client_analysis_completed', "The agent's own keys were extracted.", {
    ...Analysis,
    analyzed_by: Type.String({ description: 'offline-rules, or the name of the model.' }),
  }),
  all_processing_completed: event(
    'all_processing_completed',
    'The last event of a call, after its final attempt, with all results.',
    {
      ...Envelope,
      ...Conversation,
      chat_duration: Type.Optional(seconds('Of a chat, from the first message to the end.')),
      recording_url: nullable(Type.String()),
      recording_duration: nullable(seconds('Length of the recording.')),
      platform_analysis: nullable(Anything),
      client_analysis: nullable(Anything),
      evaluations: SentEvaluations,
    },
  ),
  chat_completed: event('chat_completed', 'A chat ended.', {
    ...Envelope,
    chat_duration: seconds('From the first message to the end.'),
    agent_message_count: Type.Integer({ minimum: 0 }),
    user_message_count: Type.Integer({ minimum: 0 }),
    transcript: Type.Array(ChatLine),
  }),
  webhook_delivery_failed: event(
    'webhook_delivery_failed',
    'A delivery was given up: sent once to the other receivers of the workspace that subscribe to it, until the receiver accepts an event again.',
    {
      event_id: Envelope.event_id,
      workspace_id: Uuid,
      callback_url: Type.String({
        description: 'Scheme and host of the receiver; the delivery has its whole address.',
      }),
      method_type: Type.String(),
      delivery_id: { ...Uuid, description: 'The first delivery that was given up.' },
      failed_event_type: Type.String({ description: 'Its event_type.' }),
      last_status: nullable(Type.Integer({ description: 'Null: there was no response.' })),
      last_error: nullable(Type.String()),
      recovery: oneOf(RECOVERY, { description: 'Of the subscription.' }),
      next_probe_at: nullable({ ...IsoTime, description: 'Null with the recovery manual.' }),
      occurred_at: IsoTime,
      test: Test,
    },
  ),
  webhook_receiver_disabled: event(
    'webhook_receiver_disabled',
    'The service disabled a receiver whose deliveries had failed for five days, and sends it no event until somebody enables it. The other receivers of the workspace that subscribe to this event get it.',
    {
      event_id: Envelope.event_id,
      workspace_id: Uuid,
      receiver_id: { ...Uuid, description: 'Enables it: POST /webhooks/receivers/{receiver_id}/enable.' },
      callback_url: Type.String({
        description: 'Scheme and host of the receiver; GET /webhooks/failures has its whole address.',
      }),
      method_type: Type.String(),
      failing_since: IsoTime,
      last_failed_at: IsoTime,
      occurred_at: IsoTime,
      test: Test,
    },
  ),
  knowledge_processed: event(
    'knowledge_processed',
    'The last file or URL of a knowledge base that waited was read, or could not be.',
    {
      event_id: Envelope.event_id,
      workspace_id: Uuid,
      kb_id: Uuid,
      kb_name: Type.String(),
      processing_status: BaseStatus,
      completed_sources: Type.Integer({ description: 'Sources that the agent can answer from.' }),
      failed_sources: Type.Integer({ description: 'GET /external/kb/{kb_id} has the reason of each.' }),
      occurred_at: IsoTime,
      test: Test,
    },
  ),
  outbound_paused: event(
    'outbound_paused',
    'The anomaly stop paused the outbound calls of the workspace, until an owner lifts it.',
    {
      event_id: Envelope.event_id,
      workspace_id: Uuid,
      reason: oneOf(['attempts', 'spend'], {
        description: 'What was ten times the busiest hour of the week before.',
      }),
      attempts_of_hour: Type.Integer({ minimum: 0 }),
      credits_of_hour: Type.Number({ minimum: 0 }),
      occurred_at: IsoTime,
      test: Test,
    },
  ),
  campaign_paused: event(
    'campaign_paused',
    'The circuit breaker paused a campaign, or it ran out of credits. Incoming webhooks of Slack show text.',
    {
      event_id: Envelope.event_id,
      workspace_id: Uuid,
      agent_id: Uuid,
      bulk_list_id: Uuid,
      campaign_name: Type.String(),
      reason: oneOf(['circuit_breaker', 'balance']),
      message: Type.String({ description: 'The cause in words, as the page of the campaign shows it.' }),
      text: Type.String({ description: 'Name and cause in one sentence.' }),
      occurred_at: IsoTime,
      test: Test,
    },
  ),
  quality_alert: event(
    'quality_alert',
    'The alert of a rule over the quality of calls was raised or cleared. Incoming webhooks of Slack show text.',
    {
      event_id: Envelope.event_id,
      workspace_id: Uuid,
      agent_id: nullable(Type.String({ description: 'Null: the rule is about every agent.' })),
      alert_name: Type.String(),
      state: oneOf(['raised', 'cleared']),
      measure: oneOf(['score_below', 'findings_above']),
      detector: nullable(Type.String({ description: 'Null: any detector, or a rule about the score.' })),
      threshold: Type.Integer({ description: 'Points of the score, or percent of the calls.' }),
      value: Type.Number({ description: 'In the unit of the threshold.' }),
      calls: Type.Integer({ minimum: 1 }),
      window_hours: Type.Integer({ minimum: 1 }),
      message: Type.String({ description: 'The figures in a sentence.' }),
      text: Type.String({ description: 'Name, state and figures.' }),
      occurred_at: IsoTime,
      test: Test,
    },
  ),
  campaign_completed: event(
    'campaign_completed',
    'A campaign is over: sent to its callback_url after the events of its calls.',
    CampaignEnvelope,
  ),
};

/** The `webhooks` part of the OpenAPI document. */
export function webhookOperations(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(WEBHOOK_EVENTS).map(([name, schema]) => [
      name,
      {
        post: {
          operationId: `on_${name}`,
          summary: String((schema as { description?: string }).description),
          description:
            'Sent with the method and headers of the subscription and signed as Standard Webhooks (webhook-id, webhook-timestamp, webhook-signature).',
          requestBody: { required: true, content: { 'application/json': { schema: plain(schema) } } },
          responses: {
            200: {
              description:
                'Accepted. Any other status, or no response within 30 seconds, is retried after 10 seconds, 1 minute and 2 minutes.',
            },
          },
        },
      },
    ]),
  );
}

/** A schema as a standalone document, without non-standard keywords. */
export function schemaDocument(schema: TSchema): object {
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...plain(schema, true) };
}

function plain(schema: TSchema, keepId = false): object {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === 'x-rule' || key === 'example' || (key === '$id' && !keepId) ? undefined : value,
  ) as object;
}
