/** A secret as it is kept: sealed, with what may be shown of it. */
export interface StoredSecret {
  sealed: string;
  shown: string;
}

/** A value of a tool's request: fixed text with `{{variables}}`, a variable as it is, or what the model gives. */
export type ToolValue =
  | string
  | number
  | boolean
  | { source: 'variable'; name: string }
  | {
      source: 'argument';
      type: 'string' | 'number' | 'integer' | 'boolean';
      description?: string;
      /** What the model calls it; absent: the key it stands under. */
      name?: string;
      enum?: string[];
      /** Default true. */
      required?: boolean;
    };

type Text = string | StoredSecret;
type Value = ToolValue | StoredSecret;

/** A request to a server of the agent's owner. Its host is fixed in `url`, so no value can lead elsewhere. */
export interface ApiTool<S extends Text = string, V extends Value = ToolValue> {
  type: 'API_TOOL';
  name: string;
  description?: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `{name}` stands for a path parameter. */
  url: string;
  path_params?: Record<string, ToolValue>;
  query?: Record<string, V>;
  headers?: Record<string, S>;
  /** A dot in a key makes an object inside the body. */
  body?: Record<string, V>;
  body_format?: 'json' | 'form';
  timeout_seconds?: number;
  /** Variable name to the place of its value in the JSON answer: `data.slots[0].time`. */
  result_variables?: Record<string, string>;
}
export interface PreCallTool<S extends Text = string, V extends Value = ToolValue> extends ApiTool<S, V> {
  /** What its failure means for the call; default continue. */
  on_failure?: 'continue' | 'fail_call';
}
export type PostCallTool<S extends Text = string, V extends Value = ToolValue> = ApiTool<S, V>;

/** Every tool of this server becomes one of the agent's. */
export interface McpServer<S extends Text = string> {
  type: 'MCP_SERVER';
  name: string;
  url: string;
  headers?: Record<string, S>;
  /** Absent: all it has. */
  allowed_tools?: string[];
  timeout_seconds?: number;
}
export interface EndCallTool {
  type: 'END_CALL_TOOL' | 'OPT_OUT_TOOL' | 'SCHEDULE_CALLBACK_TOOL';
  description?: string;
}
export interface DtmfTool {
  type: 'DTMF_TOOL';
  name?: string;
  description?: string;
  /** Absent: the model says which. */
  digits?: string;
}
export interface WaitForDtmfTool {
  type: 'WAIT_FOR_DTMF_TOOL';
  name?: string;
  description?: string;
  /** The most keys of an answer. */
  digits?: number;
  /** Longest wait for the first key and between two. */
  timeout_seconds?: number;
  end?: string;
}
export interface CallTransferTool {
  type: 'CALL_TRANSFER_TOOL';
  name?: string;
  description?: string;
  /** A number in E.164 form, or a SIP address. */
  transfer_to: string;
  /** Cold, the preset: the far side calls the number itself. Warm: we call it and stay between the two. */
  mode?: 'cold' | 'warm';
  /** What the person is told before the caller is connected; a warm transfer's alone. */
  briefing?: string;
  ring_timeout_seconds?: number;
}

export type OnCallTool<S extends Text = string, V extends Value = ToolValue> =
  | ApiTool<S, V>
  | McpServer<S>
  | EndCallTool
  | DtmfTool
  | WaitForDtmfTool
  | CallTransferTool;

/** As kept in a version: what looks like a secret is sealed. */
export type StoredApiTool = ApiTool<Text, Value>;
export type StoredPreCallTool = PreCallTool<Text, Value>;
export type StoredPostCallTool = PostCallTool<Text, Value>;
export type StoredOnCallTool = OnCallTool<Text, Value>;

export const isSecret = (value: unknown): value is StoredSecret =>
  typeof value === 'object' && value !== null && 'sealed' in value && 'shown' in value;

/** The name a model calls a tool by. */
export function toolName(tool: StoredOnCallTool): string {
  switch (tool.type) {
    case 'API_TOOL':
    case 'MCP_SERVER':
      return tool.name;
    case 'END_CALL_TOOL':
      return 'end_call';
    case 'OPT_OUT_TOOL':
      return 'opt_out';
    case 'SCHEDULE_CALLBACK_TOOL':
      return 'schedule_callback';
    case 'DTMF_TOOL':
      return tool.name ?? 'send_keys';
    case 'WAIT_FOR_DTMF_TOOL':
      return tool.name ?? 'wait_for_keys';
    case 'CALL_TRANSFER_TOOL':
      break;
  }
  return tool.name ?? 'transfer_call';
}

/** Longest waits, seconds: a caller hears the first one, nobody the last. */
export const TOOL_SECONDS = {
  preCall: { most: 15, preset: 8 },
  onCall: { most: 10, preset: 8 },
  postCall: { most: 30, preset: 15 },
  keys: { most: 60, preset: 10 },
  ring: { most: 60, preset: 30 },
} as const;

/** The model of one agent. Null or absent: the service's own with its own settings. */
export interface LlmSettings {
  provider: 'default' | 'openai_compatible';
  model: string | null;
  base_url: string | null;
  api_key: StoredSecret | null;
  temperature: number | null;
  max_tokens: number | null;
}
