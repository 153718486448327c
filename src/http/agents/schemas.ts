import { Handoff } from '../../voice/flow/handoffs.ts';
import { Type } from 'typebox';
import { AGENT_LANGUAGES } from '../../shared/agent-languages.ts';
import { UNFOLLOWED_REASONS } from '../../domain/agents/prompt-book.ts';
import { AgentCallConfig, VariableNames } from './call-config-schemas.ts';
import { RequestWarnings, WindowFields } from '../common/calling-window-schemas.ts';
import { IsoTime, limit, LookupId, mapOf, nullable, Offset, oneOf, Uuid } from '../common/schemas.ts';

const text = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, description, example });
const optionalText = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }));

export const CreateAgentBody = Type.Object({
  agent_name: text(100, 'Display name.', 'Appointment reminder'),
  introduction_and_objective: text(
    2000,
    'Becomes the Objective prompt section.',
    'You are Asha from City Dental. Confirm the appointment of {{callee_name}}.',
  ),
  response_guidelines: text(3000, 'Becomes the Response Guidelines section.', 'Short, warm sentences.'),
  task: text(1500, 'Becomes the Conversation Script section.', '1. Ask whether the appointment still suits.'),
  faq: optionalText(5000, 'Becomes the FAQs section.'),
  sample_conversations: optionalText(
    5000,
    'Turns separated by newlines; appended at the end of the Conversation Script section.',
  ),
  primary_language: oneOf(AGENT_LANGUAGES, { example: 'en-US' }),
  secondary_language: Type.Optional(oneOf(AGENT_LANGUAGES)),
  voice_id: Type.String({
    format: 'uuid',
    'x-rule': 'must be a UUID',
    description: 'An id from GET /agent/voices; the voice must speak the languages.',
  }),
  intro_message: text(500, "The agent's first message.", 'Hello, this is Asha from City Dental.'),
  agent_type: Type.Optional(
    oneOf(['inbound', 'outbound', 'outbound_inbound', 'whatsapp'], {
      description:
        'Default outbound. A whatsapp agent chats and makes no calls; its channel cannot be changed.',
    }),
  ),
  custom_variables: Type.Optional(VariableNames),
  call_config: Type.Optional(AgentCallConfig),
});

export const Warnings = Type.Optional(
  Type.Array(
    Type.Object({
      text: Type.String({ example: 'Upsell the premium plan to happy customers.' }),
      reason: oneOf(UNFOLLOWED_REASONS, {
        description:
          'left_out: the agent neither says nor does it; not_done: the agent says that it has noted it; vague: it asks a general question instead; no_step: the step does not exist; unheard: the answer to this question or argument of a tool cannot be recognised without a recogniser of free speech.',
      }),
      message: Type.String({ example: 'Without a language model the agent leaves this out.' }),
    }),
    {
      description:
        'Parts of the script that the agent cannot follow because no language model is configured for it, and what it asks although no recogniser of free speech is, at most 20. Absent: none.',
    },
  ),
);

export const CreatedAgent = Type.Object({
  success: Type.Boolean(),
  data: Type.Object({
    id: Uuid,
    version: Type.String({ example: 'v1' }),
    version_id: Uuid,
    created_at: IsoTime,
    calling_window: nullable(
      Type.Object(WindowFields, { description: 'When its calls leave; null: it makes no calls.' }),
    ),
    warnings: RequestWarnings,
  }),
  message: Type.String(),
  warnings: Warnings,
});

const { secondary_language: _secondary, ...changeable } = Type.Omit(CreateAgentBody, [
  'call_config',
]).properties;
export const UpdateAgentBody = Type.Partial(
  Type.Object({
    ...changeable,
    secondary_language: Type.Union([oneOf(AGENT_LANGUAGES), Type.Null()], {
      'x-rule': `must be one of ${AGENT_LANGUAGES.join(', ')}, or null to remove it`,
    }),
  }),
  { description: 'At least one field. call_config is changed by PATCH /agent/v1, edit_call_config.' },
);
export const UPDATABLE_FIELDS = Object.keys(UpdateAgentBody.properties);

export const UpdatedAgent = Type.Object({
  success: Type.Boolean(),
  data: Type.Object({
    id: Uuid,
    version: Type.String({ example: 'v1' }),
    version_id: Uuid,
    updated_at: IsoTime,
  }),
  message: Type.String(),
  warnings: Warnings,
});

export const DeletedAgent = Type.Object({
  message: Type.String(),
  agent_id: Uuid,
  cancelled_count: Type.Integer({ description: 'Cancelled queued calls of the agent.' }),
});

export const RestoredAgent = Type.Object({ message: Type.String(), agent_id: Uuid });

const required = Type.Object;
/** `call_config` as shown: every key present. */
const AgentCallConfigShown = required({
  call_time: required({
    call_start_time: Type.String(),
    call_end_time: Type.String(),
    timezone: Type.String(),
    days: nullable(Type.Array(Type.String())),
    slots: nullable(Type.Array(required({ start: Type.String(), end: Type.String() }))),
    use_callee_timezone: Type.Boolean(),
  }),
  max_call_length: Type.Integer(),
  idle_timeout_warning: Type.Integer(),
  idle_timeout_end: Type.Integer(),
  noise_filter_config: required({ filter_noise: Type.Boolean(), noise_suppression_level: Type.Number() }),
  voicemail: required({
    detect: Type.Boolean(),
    action: Type.String(),
    static_message: nullable(Type.String()),
    retry: Type.Boolean(),
  }),
  background_audio_config: required({
    audio_id: nullable(Type.String()),
    volume: nullable(Type.Number()),
  }),
  mute_during_intro: Type.Boolean(),
  first_speaker: required({ mode: Type.String(), delay: Type.Number(), limit: Type.Number() }),
  recording: required({ enabled: Type.Boolean() }),
});

/** Tools as shown on read, of any shape. */
const ShownTools = Type.Array(Type.Object({}, { additionalProperties: true }), {
  description: 'As sent; values that look like secrets are masked.',
});
const ShownStt = nullable(
  Type.Object(
    {
      providers: Type.Array(Type.String()),
      model: nullable(Type.String()),
      busy_line: Type.Optional(
        Type.String({ description: 'Absent: the line of the installation, or busy.' }),
      ),
    },
    { description: 'As set by edit_stt; null: the recognisers of the workspace.' },
  ),
);
const ShownS2s = nullable(
  Type.Object(
    { provider: Type.String(), model: nullable(Type.String()), voice: nullable(Type.String()) },
    { description: 'As set by edit_s2s; null: the choice of the workspace.' },
  ),
);
const ShownLlm = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  additionalProperties: true,
  description:
    'As set by edit_llm, with the key masked; null: the model of the service, and on_model_failure apologise.',
});

const AgentFields = {
  id: Uuid,
  agent_display_name: Type.String(),
  agent_type: Type.String(),
  orchestration_mode: Type.String({
    description: 'multi_node: the active version has a flow; single_node: its prompt leads.',
  }),
  form_fields: Type.Array(Type.Unknown()),
  created_at: IsoTime,
  updated_at: IsoTime,
  inbound_number_id: nullable(Type.String()),
  telephony_id: nullable(Type.String()),
  template_id: nullable(Type.String()),
  template_name: nullable(Type.String()),
  template_label: nullable(Type.String()),
  template_icon: nullable(Type.String()),
  template_type: nullable(Type.String()),
  is_ab_live: Type.Boolean(),
  active_agent_version_id: Uuid,
  ab_versions: Type.Array(
    Type.Object({
      version_id: Uuid,
      version_slug: Type.String(),
      call_traffic: Type.Integer({ description: 'Percent of new calls.' }),
      calls: Type.Integer({ description: 'Since the test began.' }),
      answered: Type.Integer(),
      completed: Type.Integer(),
      average_duration: nullable(Type.Number({ description: 'Seconds, of answered calls.' })),
      classifications: Type.Array(Type.Object({ label: Type.String(), calls: Type.Integer() }), {
        description: 'Analysed calls by classification, most calls first.',
      }),
    }),
    { description: 'The versions of the running A/B test.' },
  ),
  derived_analytics_keys: Type.Unknown(),
  classification_labels: Type.Array(Type.String()),
  previous_call_summary: Type.Unknown(),
  webcall_public_key: Type.String({ description: 'Public key of the web widget, not an API key.' }),
};
const AgentSummary = Type.Object({
  ...AgentFields,
  active_version: Type.Object(
    {
      version_slug: Type.String(),
      language: Type.String(),
      voice_id: Type.String(),
      timezone: Type.String({ description: 'Of its calling window.' }),
      max_call_length: Type.Integer({ description: 'Seconds after which its calls are ended.' }),
    },
    { description: 'Of active_agent_version_id.' },
  ),
});

export const VersionDetails = Type.Object({
  version_id: Uuid,
  version_slug: Type.String(),
  description: Type.String(),
  call_traffic: Type.Integer(),
  language: Type.String(),
  secondary_language: nullable(Type.String()),
  voice: Type.Object({ id: Type.String(), name: nullable(Type.String()) }),
  secondary_voice_id: nullable(Type.String()),
  agent_config: Type.Object({
    agent_prompt: Type.String(),
    prompt_sections: Type.Array(
      Type.Object({ section_title: Type.String(), section_content: Type.String() }),
    ),
    intro_message: Type.String(),
    custom_variables: Type.Array(Type.String()),
    vocab: Type.Array(Type.String()),
    voice_speed: Type.Number(),
    vad_settings: Type.Object({ interruption_sensitivity: Type.Optional(Type.String()) }),
    mute_during_intro: Type.Boolean(),
    mute_while_bot_speaking: Type.Boolean(),
    pre_query_response_phrases: Type.Array(Type.String()),
    pre_query_phrase_probability: Type.Number(),
    dtmf_settings: Type.Unknown(),
    stt: ShownStt,
    s2s: ShownS2s,
    llm: ShownLlm,
  }),
  call_config: AgentCallConfigShown,
  call_time_source: oneOf(['default', 'agent'], {
    description: 'default: no request gave call_time, so that of the interface holds.',
  }),
  knowledge_bases: Type.Array(Type.Object({ knowledge_base_id: Uuid, knowledge_base_name: Type.String() })),
  pre_call_tools: ShownTools,
  on_call_tools: ShownTools,
  post_call_tools: ShownTools,
  client_analysis: Type.Unknown(),
  evaluations: Type.Array(Type.Object({ name: Type.String(), criterion: Type.String() }), {
    description: 'The criteria of edit_evaluations.',
  }),
  flow: Type.Unsafe<object | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'As set by edit_flow; null: the prompt leads.',
  }),
  handoffs: Type.Array(Type.Object({ ...Handoff.properties, agent_id: Uuid }), {
    description: 'As set by edit_handoffs.',
  }),
  whitelisted_domains: Type.Array(Type.String()),
  web_sessions: Type.Object(
    { require_session: Type.Boolean(), page_variables: nullable(Type.Array(Type.String())) },
    { description: 'The settings of edit_web_sessions.' },
  ),
  chat_settings: nullable(
    Type.Object(
      {
        whatsapp_session: Type.Object({
          idle_timeout_minutes: Type.Integer(),
          max_duration_minutes: Type.Integer(),
        }),
      },
      { description: 'Null for a voice agent.' },
    ),
  ),
  event_subscriptions: Type.Array(
    Type.Object({
      event_type: Type.Array(Type.String()),
      callback_url: Type.String(),
      method_type: Type.String(),
      success: Type.Optional(Type.String({ description: 'Absent: 200.' })),
      recovery: Type.Optional(Type.String({ description: 'Absent: manual.' })),
      headers: mapOf(Type.String(), {
        description:
          'Values that look like secrets show four characters and ***; send the mask to keep the stored value.',
      }),
    }),
  ),
  created_at: IsoTime,
  updated_at: IsoTime,
});

export const ListAgentsQuery = Type.Object({
  limit: Type.Optional(limit('Omit for every agent.')),
  offset: Type.Optional(Offset),
});
export const AgentList = Type.Object({
  status: Type.String({ example: 'success' }),
  data: Type.Object({
    agents: Type.Array(AgentSummary),
    total: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
  }),
});

export const AgentParams = Type.Object({ agent_id: LookupId });
export const GetAgentQuery = Type.Object({
  type: Type.Optional(
    oneOf(['inbound'], { description: 'inbound: answers 400 for an agent that takes no inbound calls.' }),
  ),
});
export const AgentRecord = Type.Object({
  agents: Type.Object({ ...AgentFields, version_details: mapOf(VersionDetails) }),
});
