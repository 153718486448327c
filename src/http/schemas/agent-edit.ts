import { Type, type Static, type TSchema } from 'typebox';
import type { EditOperation } from '../../domain/agents/edit/edit-agent.ts';
import { ALL_EVENTS } from '../../domain/agents/edit/edit-event-subscriptions.ts';
import { EDIT_VOICE_LANGUAGES } from '../../shared/languages.ts';
import { VariableNames } from './agents.ts';
import { AgentCallConfig } from './call-config.ts';
import { LookupId, mapOf, oneOf, Uuid } from './common.ts';
import { TOOL_FIELDS } from './tools.ts';

const EventType = oneOf(ALL_EVENTS);
const Section = Type.Object({
  section_title: Type.String({ minLength: 1, maxLength: 200 }),
  section_content: Type.String({ maxLength: 30_000 }),
});

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
});

const DialKey = oneOf(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '#']);

/** The fields of every operation, by its name. */
export const EDIT_FIELDS = {
  edit_prompt: Type.Object({
    agent_prompt: Type.Union(
      [
        Type.String({ minLength: 1, maxLength: 60_000 }),
        Type.Object({ prompt_sections: Type.Array(Section, { minItems: 1, maxItems: 50 }) }),
      ],
      {
        'x-rule': 'must be a text of 1 to 60000 characters, or an object with prompt_sections',
        description: 'Replaces the whole prompt: a section left out is deleted.',
      },
    ),
  }),
  edit_call_config: Type.Object({ call_config: AgentCallConfig }),
  edit_agent_display_name: Type.Object({ agent_display_name: Type.String({ minLength: 1, maxLength: 100 }) }),
  edit_intro_message: Type.Object({ intro_message: Type.String({ minLength: 1, maxLength: 500 }) }),
  edit_voice: Type.Object({
    voice_id: Uuid,
    language: oneOf(EDIT_VOICE_LANGUAGES),
    secondary_voice_id: Type.Optional(
      Type.String({
        pattern: '^$|^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
        'x-rule': 'must be a UUID, or empty to remove the secondary voice',
      }),
    ),
  }),
  edit_voice_speed: Type.Object({ voice_speed: Type.Number({ minimum: 0.5, maximum: 2 }) }),
  edit_noise_settings: Type.Object({
    mute_during_intro: Type.Boolean(),
    mute_while_bot_speaking: Type.Boolean({ description: 'The caller cannot interrupt at any time.' }),
  }),
  edit_vocab: Type.Object({
    vocab: Type.Array(
      Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: '\\S',
        'x-rule': 'must be a word or phrase of 1 to 100 characters',
      }),
      { maxItems: 100, description: 'Replaces the list; at most 100 words in total.' },
    ),
  }),
  edit_query_phrases: Type.Object({
    pre_query_response_phrases: Type.Array(Type.String({ minLength: 1, maxLength: 300 }), { maxItems: 50 }),
    pre_query_phrase_probability: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  }),
  edit_vad_settings: Type.Object({
    vad_settings: Type.Object({
      interruption_sensitivity: Type.Optional(oneOf(['low', 'default', 'high'])),
    }),
  }),
  edit_custom_vars: Type.Object({ custom_variables: VariableNames }),
  edit_event_subscriptions: Type.Object({
    event_subscriptions: Type.Array(Subscription, {
      maxItems: 50,
      description: "Replaces the agent's whole list.",
    }),
  }),
  attach_inbound_number: Type.Object({ number_id: LookupId }),
  remove_inbound_number: Type.Object({ number_id: LookupId }),
  attach_kb: Type.Object({ kb_id: LookupId }),
  remove_kb: Type.Object({ kb_id: LookupId }),
  edit_agent_whitelisted_domains: Type.Object({
    whitelisted_domains: Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
      maxItems: 50,
      example: ['https://www.example.com'],
      description:
        "Web addresses whose pages may start web calls. Replaces the list; it must keep the service's own address.",
    }),
  }),
  edit_chat_settings: Type.Object(
    {
      chat_settings: Type.Object({
        whatsapp_session: Type.Object({
          idle_timeout_minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440 })),
          max_duration_minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440 })),
        }),
      }),
    },
    { description: 'For WhatsApp agents; the agents of this service are voice agents and answer 400.' },
  ),
  edit_dtmf_settings: Type.Object({
    dtmf_settings: Type.Object({
      dtmf_capturing_enabled: Type.Boolean({ description: "False: the caller's keys are not listened to." }),
      dtmf_input: Type.Optional(
        Type.Object({
          digits: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 32, description: 'Keys after which the answer is whole.' }),
          ),
          timeout: Type.Optional(
            Type.Number({ minimum: 1, maximum: 30, description: 'Seconds without a key after which it is.' }),
          ),
          end: Type.Optional(DialKey),
          reset: Type.Optional(DialKey),
        }),
      ),
    }),
  }),
  edit_client_analysis: Type.Object({
    context: Type.Optional(Type.String({ maxLength: 5000 })),
    goal_key: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'One of keys.' })),
    classification_labels: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        maxItems: 30,
        description:
          "What calls of the agent, in every version, are classified as; replaces the list, and an empty one brings back the service's own labels.",
      }),
    ),
    keys: mapOf(
      Type.Object({
        type: oneOf(['string', 'number', 'boolean', 'date', 'enum']),
        values: Type.Optional(
          Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
            minItems: 1,
            maxItems: 50,
            description: 'What an enum may be.',
          }),
        ),
        description: Type.Optional(Type.String({ maxLength: 1000 })),
        default: Type.Optional(
          Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean(), Type.Null()], {
            'x-rule': 'must be a text of at most 1000 characters, a number, a boolean or null',
          }),
        ),
      }),
      {
        maxProperties: 50,
        propertyNames: { minLength: 1, maxLength: 100 },
        description: 'What is asked about every call. Replaces the analysis; an empty object ends it.',
      },
    ),
  }),
  create_version: Type.Object(
    { description: Type.Optional(Type.String({ maxLength: 500 })) },
    {
      description:
        'Copies the version into a new one, whose version_id is in the answer. It takes no calls until activate_version or set_ab_test.',
    },
  ),
  activate_version: Type.Object(
    { version_id: LookupId },
    { description: 'The version takes every new call; a running A/B test ends.' },
  ),
  set_ab_test: Type.Object({
    versions: Type.Array(
      Type.Object({
        version_id: LookupId,
        call_traffic: Type.Integer({ minimum: 1, maximum: 100, description: 'Percent of new calls.' }),
      }),
      { minItems: 2, maxItems: 10, description: 'call_traffic sums to 100.' },
    ),
  }),
  ...TOOL_FIELDS,
} as const satisfies { [O in EditOperation]: TSchema };

/** What each schema yields; it has to fit what the domain takes. */
export type ParsedEdits = { [O in EditOperation]: Static<(typeof EDIT_FIELDS)[O]> };

export const EDIT_OPERATIONS = Object.keys(EDIT_FIELDS) as EditOperation[];
const operation = {
  description: 'The setting to change.',
  'x-rule': `must be one of ${EDIT_OPERATIONS.join(', ')}`,
};

/** What every operation has; its own fields are checked after `operation` is known, so that errors name them. */
export const EditAgentBody = Type.Object({
  operation: oneOf(EDIT_OPERATIONS, operation),
  agent_id: LookupId,
  version_id: Type.Optional(LookupId),
});

interface DocumentedFields {
  readonly description?: string;
  readonly required?: readonly string[] | undefined;
  readonly properties: object;
}

/** The body as documented: one shape for each operation. */
export const EditAgentBodyDocumented = {
  oneOf: Object.entries<DocumentedFields>(EDIT_FIELDS).map(([name, fields]) => ({
    title: name,
    ...(fields.description === undefined ? {} : { description: fields.description }),
    type: 'object',
    required: ['operation', 'agent_id', ...(fields.required ?? [])],
    properties: {
      operation: { const: name, type: 'string' },
      agent_id: LookupId,
      version_id: {
        ...LookupId,
        description:
          'Default: the active version; while an A/B test runs, the live one that was changed last.',
      },
      ...fields.properties,
    },
  })),
};

export const EditedAgent = Type.Object({
  message: Type.String(),
  agent_id: Uuid,
  version_id: Type.Optional(Type.String({ description: 'The new version, after create_version.' })),
});
