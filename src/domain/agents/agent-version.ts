import type { Language } from '../../shared/languages.ts';
import type {
  LlmSettings,
  StoredOnCallTool,
  StoredPostCallTool,
  StoredPreCallTool,
} from '../tools/tool-types.ts';
import type { AgentCallConfig } from './call-config.ts';

export type AgentType = 'inbound' | 'outbound' | 'outbound_inbound';

/** Variables every outbound agent has, whatever its list says (interface, Agent create request). */
export const REQUIRED_VARIABLES = ['callee_name', 'mobile_number'] as const;

export const makesOutboundCalls = (type: AgentType): boolean => type !== 'inbound';
export const takesInboundCalls = (type: AgentType): boolean => type !== 'outbound';

export interface PromptSection {
  section_title: string;
  section_content: string;
}

/** One webhook subscription; across an agent's list every event type occurs once. */
export interface EventSubscription {
  event_type: string[];
  callback_url: string;
  method_type: 'POST' | 'PUT' | 'PATCH';
  headers: Record<string, string>;
}

export interface VadSettings {
  interruption_sensitivity?: 'low' | 'default' | 'high';
}

/** How the caller's keys become an answer; null: as the conversation's own rules have it. */
export interface DtmfSettings {
  /** False: keys are not listened to. */
  dtmf_capturing_enabled: boolean;
  dtmf_input: {
    /** Keys after which the answer is whole. */
    digits: number | null;
    /** Seconds without a key after which it is. */
    timeout: number | null;
    /** The key that ends the answer, and the one that starts it anew; neither is part of it. */
    end: string | null;
    reset: string | null;
  };
}

/** What the agent's owner wants to know of every call. */
export interface ClientAnalysis {
  context: string;
  /** The key that tells whether the call reached its goal. */
  goal_key: string | null;
  keys: Record<
    string,
    {
      type: 'string' | 'number' | 'boolean' | 'date' | 'enum';
      /** What an enum may be. */
      values?: string[];
      description?: string;
      default?: string | number | boolean | null;
    }
  >;
}

/**
 * Everything an agent version holds: the `config` column of agent_versions. Keys carry the wire names of a
 * `version_details` entry; the optional ones are absent until they are set.
 */
export interface VersionConfig {
  language: Language;
  secondary_language: Language | null;
  voice_id: string;
  secondary_voice_id: string | null;
  agent_config: {
    /** The sections joined; what `edit_prompt` replaces. */
    agent_prompt: string;
    prompt_sections: PromptSection[];
    intro_message: string;
    custom_variables: string[];
    vocab: string[];
    voice_speed: number;
    vad_settings: VadSettings;
    /** `mute_during_intro` has its one home in `call_config`. */
    mute_while_bot_speaking: boolean;
    pre_query_response_phrases: string[];
    pre_query_phrase_probability: number;
    dtmf_settings?: DtmfSettings;
    llm?: LlmSettings;
  };
  call_config: AgentCallConfig;
  event_subscriptions: EventSubscription[];
  /** What the agent may look up during a call, in the order attached. */
  knowledge_base_ids?: string[];
  client_analysis?: ClientAnalysis | null;
  /** Origins whose pages may start web calls. */
  whitelisted_domains?: string[];
  pre_call_tools?: StoredPreCallTool[];
  on_call_tools?: StoredOnCallTool[];
  post_call_tools?: StoredPostCallTool[];
}
