import type { Language } from '@callwright/language';
import type { S2sEntry } from '../../vendors/accounts.ts';
import type { SttVendorName } from '../../vendors/catalogue.ts';
import { wireDocument, type Described } from '../../shared/wire-names.ts';
import { AGENT_CALL_CONFIG, type AgentCallConfig } from './call-config.ts';
import {
  API_TOOL,
  LLM_SETTINGS,
  ON_CALL_TOOL,
  PRE_CALL_TOOL,
  type LlmSettings,
  type StoredOnCallTool,
  type StoredPostCallTool,
  type StoredPreCallTool,
} from './tools.ts';

export type AgentType = 'inbound' | 'outbound' | 'outbound_inbound' | 'whatsapp';

export interface PromptSection {
  sectionTitle: string;
  sectionContent: string;
}

/** One webhook subscription. In an agent's list every event type occurs once. */
export interface EventSubscription {
  eventType: string[];
  callbackUrl: string;
  methodType: 'POST' | 'PUT' | 'PATCH';
  headers: Record<string, string>;
  /** Statuses that count as success; absent: 200. */
  success?: '200' | '2xx';
  /** Whether given-up deliveries are sent when the receiver is back; absent: manual. */
  recovery?: 'manual' | 'automatic';
}

export interface VadSettings {
  interruptionSensitivity?: 'low' | 'default' | 'high';
}

/** How DTMF keys form an answer; null: the default rules of the conversation. */
export interface DtmfSettings {
  /** False: the agent ignores keys. */
  dtmfCapturingEnabled: boolean;
  dtmfInput: {
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
  /** What an inbound caller hears while no recogniser of the machine is free; absent: the line of the installation. */
  busyLine?: string;
}

/** The client analysis: questions of the agent's owner about every call. */
export interface ClientAnalysis {
  context: string;
  /** The key whose value says whether the call reached its goal. */
  goalKey: string | null;
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

/** A flow as it is stored: the names in it are the author's. */
export type FlowDocument = Readonly<Record<string, unknown>>;

/** An agent that the model of a prompt may hand a conversation over to. */
export interface StoredHandoff {
  agentId: string;
  /** What has to be true, in words, and what callers say then. */
  when: string;
  examples?: string[];
  say?: string;
  context?: 'all' | 'none' | 'summary' | { last: number };
  silent?: boolean;
  back?: boolean;
}

/** A criterion by which every conversation of the agent is judged, in words. */
export interface EvaluationCriterion {
  name: string;
  criterion: string;
}

/**
 * The `config` column of agent_versions, stored under the wire names of a `version_details` entry; optional keys are
 * absent until they are set.
 */
export interface VersionConfig {
  language: Language;
  secondaryLanguage: Language | null;
  voiceId: string;
  secondaryVoiceId: string | null;
  agentConfig: {
    /** The joined sections; `edit_prompt` replaces it. */
    agentPrompt: string;
    promptSections: PromptSection[];
    introMessage: string;
    customVariables: string[];
    vocab: string[];
    voiceSpeed: number;
    vadSettings: VadSettings;
    /** `mute_during_intro` is stored in `call_config` only. */
    muteWhileBotSpeaking: boolean;
    preQueryResponsePhrases: string[];
    preQueryPhraseProbability: number;
    dtmfSettings?: DtmfSettings;
    stt?: SttSettings | null;
    s2s?: S2sSettings | null;
    llm?: LlmSettings;
  };
  callConfig: AgentCallConfig;
  /** True when a request gave `call_time`; absent: the default, or a version stored before the mark existed. */
  callTimeChosen?: boolean;
  eventSubscriptions: EventSubscription[];
  /** Knowledge bases that the agent searches during a call, in the order they were attached. */
  knowledgeBaseIds?: string[];
  clientAnalysis?: ClientAnalysis | null;
  evaluations?: EvaluationCriterion[];
  /** The document of a flow as it was sent, without a fault (voice/flow/check); null or absent: the prompt leads. */
  flow?: FlowDocument | null;
  /** Of a version without a flow. */
  handoffs?: StoredHandoff[];
  /** Origins whose pages may start web calls. */
  whitelistedDomains?: string[];
  /** What pages with the public key may do (domain/web-calls/page-rules.ts). `page_variables` null: set any variable. */
  webSessions?: { requireSession: boolean; pageVariables: string[] | null };
  /** Absent: the defaults of domain/chats/session-limits.ts. */
  chatSettings?: { whatsappSession: { idleTimeoutMinutes: number; maxDurationMinutes: number } };
  preCallTools?: StoredPreCallTool[];
  onCallTools?: StoredOnCallTool[];
  postCallTools?: StoredPostCallTool[];
}

const EVENT_SUBSCRIPTION: Described<EventSubscription> = {
  eventType: true,
  callbackUrl: true,
  methodType: true,
};
export const subscriptionDocument = wireDocument<EventSubscription>(EVENT_SUBSCRIPTION);

const VERSION: Described<VersionConfig> = {
  secondaryLanguage: true,
  voiceId: true,
  secondaryVoiceId: true,
  agentConfig: {
    agentPrompt: true,
    promptSections: { sectionTitle: true, sectionContent: true },
    introMessage: true,
    customVariables: true,
    voiceSpeed: true,
    vadSettings: { interruptionSensitivity: true },
    muteWhileBotSpeaking: true,
    preQueryResponsePhrases: true,
    preQueryPhraseProbability: true,
    dtmfSettings: { dtmfCapturingEnabled: true, dtmfInput: true },
    stt: { busyLine: true },
    llm: LLM_SETTINGS,
  },
  handoffs: { agentId: true },
  callConfig: AGENT_CALL_CONFIG,
  callTimeChosen: true,
  eventSubscriptions: EVENT_SUBSCRIPTION,
  knowledgeBaseIds: true,
  clientAnalysis: { goalKey: true },
  whitelistedDomains: true,
  webSessions: { requireSession: true, pageVariables: true },
  chatSettings: { whatsappSession: { idleTimeoutMinutes: true, maxDurationMinutes: true } },
  preCallTools: PRE_CALL_TOOL,
  onCallTools: ON_CALL_TOOL,
  postCallTools: API_TOOL,
};
export const versionDocument = wireDocument<VersionConfig>(VERSION);
