import { Type, type Static } from 'typebox';
import { errors } from '../../../errors.ts';
import { oneOf } from '../../../shared/schema-parts.ts';
import { AgentCallConfig, VariableNames } from '../agent-schema.ts';
import { makesOutboundCalls, REQUIRED_VARIABLES } from '../agent-version.ts';
import { mergeCallConfig } from '../call-config.ts';
import { checkZone } from '../create-agent.ts';
import { editChatSettings } from './edit-chat-settings.ts';
import { editClientAnalysis } from './edit-client-analysis.ts';
import { editDtmfSettings } from './edit-dtmf-settings.ts';
import { editEvaluations } from './edit-evaluations.ts';
import { editEventSubscriptions } from './edit-event-subscriptions.ts';
import { attachInboundNumber, removeInboundNumber } from './edit-inbound-number.ts';
import { attachKb, removeKb } from './edit-knowledge.ts';
import { editLlm } from './edit-llm.ts';
import { editOnCallTools, editPostCallTools, editPreCallTools } from './edit-tools.ts';
import { editS2s } from './edit-s2s.ts';
import { editStt } from './edit-stt.ts';
import { activateVersion, createVersion, setAbTest } from './edit-versions.ts';
import { editVoice } from './edit-voice.ts';
import { editWebSessions } from './edit-web-sessions.ts';
import { editWhitelistedDomains } from './edit-whitelisted-domains.ts';
import { agentSetting, operation, withAgentConfig } from './operation.ts';

const MAX_VOCAB_WORDS = 100;

const PromptSection = Type.Object({
  section_title: Type.String({ minLength: 1, maxLength: 200 }),
  section_content: Type.String({ maxLength: 30_000 }),
});

/** Every operation of PATCH /agent/v1 by its wire name. The reference lists them in this order. */
export const EDIT_OPERATIONS = {
  edit_prompt: operation(
    Type.Object({
      agent_prompt: Type.Union(
        [
          Type.String({ minLength: 1, maxLength: 60_000 }),
          Type.Object({ prompt_sections: Type.Array(PromptSection, { minItems: 1, maxItems: 50 }) }),
        ],
        {
          'x-rule': 'must be a text of 1 to 60000 characters, or an object with prompt_sections',
          description: 'Replaces the whole prompt: a section left out is deleted.',
        },
      ),
    }),
    ({ config, prompts }, { agent_prompt: sent }) =>
      typeof sent === 'string'
        ? withAgentConfig(config, { agent_prompt: sent, prompt_sections: prompts.parse(sent) })
        : withAgentConfig(config, {
            agent_prompt: prompts.join(sent.prompt_sections),
            prompt_sections: sent.prompt_sections,
          }),
  ),
  edit_call_config: operation(
    Type.Object({ call_config: AgentCallConfig }),
    // Rules that span keys hold for the merged configuration.
    ({ config }, input) => ({
      config: {
        ...config,
        call_config: mergeCallConfig(config.call_config, input.call_config),
        ...(input.call_config.call_time === undefined ? {} : { call_time_chosen: true }),
      },
    }),
    (input) => checkZone(input.call_config),
  ),
  edit_agent_display_name: operation(
    Type.Object({ agent_display_name: Type.String({ minLength: 1, maxLength: 100 }) }),
    (_context, input) => ({ displayName: input.agent_display_name }),
  ),
  edit_intro_message: agentSetting(
    Type.Object({ intro_message: Type.String({ minLength: 1, maxLength: 500 }) }),
  ),
  edit_voice: editVoice,
  edit_voice_speed: agentSetting(Type.Object({ voice_speed: Type.Number({ minimum: 0.5, maximum: 2 }) })),
  edit_noise_settings: operation(
    Type.Object({
      mute_during_intro: Type.Boolean(),
      mute_while_bot_speaking: Type.Boolean({ description: 'The caller cannot interrupt at any time.' }),
    }),
    ({ config }, input) =>
      withAgentConfig(
        { ...config, call_config: { ...config.call_config, mute_during_intro: input.mute_during_intro } },
        { mute_while_bot_speaking: input.mute_while_bot_speaking },
      ),
  ),
  edit_vocab: operation(
    Type.Object({
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
    ({ config }, { vocab }) => {
      const words = vocab.reduce((sum, entry) => sum + entry.trim().split(/\s+/).length, 0);
      if (words > MAX_VOCAB_WORDS) {
        throw errors.invalid(
          'vocab',
          `must hold at most ${MAX_VOCAB_WORDS} words in total (${words} were sent)`,
        );
      }
      return withAgentConfig(config, { vocab });
    },
  ),
  edit_query_phrases: agentSetting(
    Type.Object({
      pre_query_response_phrases: Type.Array(Type.String({ minLength: 1, maxLength: 300 }), { maxItems: 50 }),
      pre_query_phrase_probability: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    }),
  ),
  edit_vad_settings: operation(
    Type.Object({
      vad_settings: Type.Object({
        interruption_sensitivity: Type.Optional(oneOf(['low', 'default', 'high'])),
      }),
    }),
    ({ config }, input) =>
      withAgentConfig(config, {
        vad_settings: { interruption_sensitivity: input.vad_settings.interruption_sensitivity ?? 'default' },
      }),
  ),
  edit_custom_vars: operation(
    Type.Object({ custom_variables: VariableNames }),
    ({ agent, config }, input) => {
      const kept = new Set(input.custom_variables);
      const missing = REQUIRED_VARIABLES.filter((name) => !kept.has(name));
      if (makesOutboundCalls(agent.agentType) && missing.length > 0) throw errors.requiredVariables(missing);
      return withAgentConfig(config, { custom_variables: [...kept] });
    },
  ),
  edit_event_subscriptions: editEventSubscriptions,
  attach_inbound_number: attachInboundNumber,
  remove_inbound_number: removeInboundNumber,
  attach_kb: attachKb,
  remove_kb: removeKb,
  edit_agent_whitelisted_domains: editWhitelistedDomains,
  edit_web_sessions: editWebSessions,
  edit_chat_settings: editChatSettings,
  edit_dtmf_settings: editDtmfSettings,
  edit_client_analysis: editClientAnalysis,
  edit_evaluations: editEvaluations,
  create_version: createVersion,
  activate_version: activateVersion,
  set_ab_test: setAbTest,
  edit_pre_call_tools: editPreCallTools,
  edit_on_call_tools: editOnCallTools,
  edit_post_call_tools: editPostCallTools,
  edit_llm: editLlm,
  edit_stt: editStt,
  edit_s2s: editS2s,
};

export type OperationName = keyof typeof EDIT_OPERATIONS;
export type OperationInput<O extends OperationName> = Static<(typeof EDIT_OPERATIONS)[O]['fields']>;
