import type { Language } from '@callwright/language';
import type { S2sEntry } from '../../vendors/accounts.ts';
import type { SttVendorName } from '../../vendors/catalogue.ts';
import type { AgentCallConfig } from './call-config.ts';
import type { LlmSettings, StoredOnCallTool, StoredPostCallTool, StoredPreCallTool } from './tools.ts';

export type AgentType = 'inbound' | 'outbound' | 'outbound_inbound' | 'whatsapp';

export interface PromptSection {
  section_title: string;
  section_content: string;
}

/** One webhook subscription. In an agent's list every event type occurs once. */
export interface EventSubscription {
  event_type: string[];
  callback_url: string;
  method_type: 'POST' | 'PUT' | 'PATCH';
  headers: Record<string, string>;
  /** Statuses that count as success; absent: 200. */
  success?: '200' | '2xx';
  /** Whether given-up deliveries are sent when the receiver is back; absent: manual. */
  recovery?: 'manual' | 'automatic';
}

export interface VadSettings {
  interruption_sensitivity?: 'low' | 'default' | 'high';
}

/** How DTMF keys form an answer; null: the default rules of the conversation. */
export interface DtmfSettings {
  /** False: the agent ignores keys. */
  dtmf_capturing_enabled: boolean;
  dtmf_input: {
    /** The answer is complete after this many keys. */
    digits: number | null;
    /** The answer is complete after this many seconds without a key. */
    timeout: number | null;
    /** The keys that end and restart the answer; neither is part of it. */
    end: string | null;
    reset: string | null;
  };
}

/** The agent's choice of speech to speech. `voice` null: the agent's voice if the vendor has it, or that of the account. */
export interface S2sSettings {
  readonly provider: S2sEntry;
  readonly model: string | null;
  readonly voice: string | null;
}

/** The agent's own choice of recognisers; null or absent: those of the workspace. */
export interface SttSettings {
  providers: readonly (SttVendorName | 'offline')[];
  /** Model of the first one; null: that of its account. */
  model: string | null;
}

/** The client analysis: questions of the agent's owner about every call. */
export interface ClientAnalysis {
  context: string;
  /** The key whose value says whether the call reached its goal. */
  goal_key: string | null;
  keys: Record<
    string,
    {
      type: 'string' | 'number' | 'boolean' | 'date' | 'enum';
      /** The values of an enum. */
      values?: string[];
      description?: string;
      default?: string | number | boolean | null;
    }
  >;
}

/** A criterion by which every conversation of the agent is judged, in words. */
export interface EvaluationCriterion {
  name: string;
  criterion: string;
}

/**
 * The `config` column of agent_versions. Keys are the wire names of a `version_details` entry; optional keys are
 * absent until they are set.
 */
export interface VersionConfig {
  language: Language;
  secondary_language: Language | null;
  voice_id: string;
  secondary_voice_id: string | null;
  agent_config: {
    /** The joined sections; `edit_prompt` replaces it. */
    agent_prompt: string;
    prompt_sections: PromptSection[];
    intro_message: string;
    custom_variables: string[];
    vocab: string[];
    voice_speed: number;
    vad_settings: VadSettings;
    /** `mute_during_intro` is stored in `call_config` only. */
    mute_while_bot_speaking: boolean;
    pre_query_response_phrases: string[];
    pre_query_phrase_probability: number;
    dtmf_settings?: DtmfSettings;
    stt?: SttSettings | null;
    s2s?: S2sSettings | null;
    llm?: LlmSettings;
  };
  call_config: AgentCallConfig;
  /** True when a request gave `call_time`; absent: the default, or a version stored before the mark existed. */
  call_time_chosen?: boolean;
  event_subscriptions: EventSubscription[];
  /** Knowledge bases that the agent searches during a call, in the order they were attached. */
  knowledge_base_ids?: string[];
  client_analysis?: ClientAnalysis | null;
  evaluations?: EvaluationCriterion[];
  /** Origins whose pages may start web calls. */
  whitelisted_domains?: string[];
  /** What pages with the public key may do (domain/web-calls/page-rules.ts). `page_variables` null: set any variable. */
  web_sessions?: { require_session: boolean; page_variables: string[] | null };
  /** Absent: the defaults of domain/chats/session-limits.ts. */
  chat_settings?: { whatsapp_session: { idle_timeout_minutes: number; max_duration_minutes: number } };
  pre_call_tools?: StoredPreCallTool[];
  on_call_tools?: StoredOnCallTool[];
  post_call_tools?: StoredPostCallTool[];
}
