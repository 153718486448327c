import { wireDocument, type Described } from '../../shared/wire-names.ts';
import type { LlmVendorName } from '../../vendors/catalogue.ts';

/** A stored secret: encrypted, with its mask. */
export interface StoredSecret {
  sealed: string;
  shown: string;
}

/** A value in a tool's request: text with `{{variables}}`, a variable, or an argument from the model. */
export type ToolValue =
  | string
  | number
  | boolean
  | { source: 'variable'; name: string }
  | {
      source: 'argument';
      type: 'string' | 'number' | 'integer' | 'boolean';
      description?: string;
      /** The model's name for the argument; absent: its key. */
      name?: string;
      enum?: string[];
      /** Default true. */
      required?: boolean;
      /** May get the caller's sensitive keys; hidden in the tool log. */
      sensitive?: boolean;
    };

type Text = string | StoredSecret;

type Value = ToolValue | StoredSecret;

/** A request to a server of the agent's owner. `url` fixes the host, so no value can redirect the request. */
export interface ApiTool<S extends Text = string, V extends Value = ToolValue> {
  type: 'API_TOOL';
  name: string;
  description?: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `{name}` is a path parameter. */
  url: string;
  pathParams?: Record<string, ToolValue>;
  query?: Record<string, V>;
  headers?: Record<string, S>;
  /** A dot in a key creates a nested object. */
  body?: Record<string, V>;
  bodyFormat?: 'json' | 'form';
  timeoutSeconds?: number;
  /** Variable name to the path of its value in the JSON answer: `data.slots[0].time`. */
  resultVariables?: Record<string, string>;
}

export interface PreCallTool<S extends Text = string, V extends Value = ToolValue> extends ApiTool<S, V> {
  /** The effect of a failure on the call; default continue. */
  onFailure?: 'continue' | 'fail_call';
}

export type PostCallTool<S extends Text = string, V extends Value = ToolValue> = ApiTool<S, V>;

/** Every tool of this MCP server becomes a tool of the agent. */
export interface McpServer<S extends Text = string> {
  type: 'MCP_SERVER';
  name: string;
  url: string;
  headers?: Record<string, S>;
  /** Absent: all tools. */
  allowedTools?: string[];
  timeoutSeconds?: number;
}

export interface EndCallTool {
  type: 'END_CALL_TOOL' | 'OPT_OUT_TOOL' | 'SCHEDULE_CALLBACK_TOOL';
  description?: string;
}

/** Two built-in tools of the agent: `pause_recording` and `resume_recording`. */
export interface RecordingTool {
  type: 'RECORDING_TOOL';
  /** When to pause. */
  description?: string;
}

export interface DtmfTool {
  type: 'DTMF_TOOL';
  name?: string;
  description?: string;
  /** Absent: the model chooses the keys. */
  digits?: string;
}

export interface WaitForDtmfTool {
  type: 'WAIT_FOR_DTMF_TOOL';
  name?: string;
  description?: string;
  /** Maximum number of keys. */
  digits?: number;
  /** Timeout for the first key and between keys. */
  timeoutSeconds?: number;
  end?: string;
  /** The keys are hidden; only arguments marked sensitive get them. */
  sensitive?: boolean;
}

export interface CallTransferTool {
  type: 'CALL_TRANSFER_TOOL';
  name?: string;
  description?: string;
  /** A number in E.164 form, or a SIP address. */
  transferTo: string;
  /**
   * Default cold: the far side calls the number itself. Warm: the service calls it and bridges the legs. Auto: as cold,
   * and as warm when the far side refuses REFER. Join: the person joins caller and agent, who leaves when it uses the tool again.
   */
  mode?: 'cold' | 'warm' | 'auto' | 'join';
  /** Spoken to the person before the caller is connected, when the service calls it. */
  briefing?: string;
  ringTimeoutSeconds?: number;
}

export type OnCallTool<S extends Text = string, V extends Value = ToolValue> =
  | ApiTool<S, V>
  | McpServer<S>
  | EndCallTool
  | RecordingTool
  | DtmfTool
  | WaitForDtmfTool
  | CallTransferTool;

/** As stored in a version: secrets are sealed. */
export type StoredApiTool = ApiTool<Text, Value>;

export type StoredPreCallTool = PreCallTool<Text, Value>;

export type StoredPostCallTool = PostCallTool<Text, Value>;

export type StoredOnCallTool = OnCallTool<Text, Value>;

/** What an agent does when no language model answers. */
export type OnModelFailure = 'apologise' | 'script';

/** The model settings of one agent. Null or absent: the service's model with default settings. */
export interface LlmSettings {
  provider: 'default' | 'openai_compatible';
  /** Vendors in order of preference, with the provider `default`; absent: those of the workspace. */
  providers?: readonly (LlmVendorName | 'offline')[];
  /** Of the own server, or of the first of `providers`. */
  model: string | null;
  baseUrl: string | null;
  apiKey: StoredSecret | null;
  temperature: number | null;
  maxTokens: number | null;
  /** Absent in versions that were stored before the setting: `apologise`. */
  onModelFailure?: OnModelFailure;
}

export const API_TOOL: Described<StoredPostCallTool> = {
  pathParams: true,
  bodyFormat: true,
  timeoutSeconds: true,
  resultVariables: true,
};
/** The payload of the job that sends one post-call tool's request. */
export interface PostCallPayload {
  readonly callId: string;
  readonly tool: StoredPostCallTool;
}
export const postCallPayload = wireDocument<PostCallPayload>({ callId: true, tool: API_TOOL });

export const PRE_CALL_TOOL: Described<StoredPreCallTool> = { ...API_TOOL, onFailure: true };
export const ON_CALL_TOOL: Described<StoredOnCallTool> = {
  ...API_TOOL,
  allowedTools: true,
  transferTo: true,
  ringTimeoutSeconds: true,
};
export const LLM_SETTINGS: Described<LlmSettings> = {
  baseUrl: true,
  apiKey: true,
  maxTokens: true,
  onModelFailure: true,
};
