import type { Generated } from 'kysely';
import type { HintTime, JsonObject, JsonWithDefault, Nullable, NullableJson, WithDefault } from './types.ts';

export type ChatChannel = 'whatsapp' | 'web' | 'test';
export type ChatState = 'open' | 'with_person' | 'closed';
export type ChatRole = 'agent' | 'customer' | 'person';
export type SendState = 'queued' | 'sending' | 'unsure' | 'sent' | 'delivered' | 'read' | 'failed';

export interface ChatTable {
  workspace_id: string;
  id: string;
  agent_id: string;
  version_id: string;
  channel: ChatChannel;
  channel_id: Nullable<string>;
  customer: string;
  customer_number: Nullable<string>;
  customer_name: WithDefault<string>;
  args: JsonWithDefault<Record<string, string>>;
  state: WithDefault<ChatState>;
  end_reason: Nullable<string>;
  talk: JsonWithDefault<JsonObject>;
  tool_log: JsonWithDefault<readonly JsonObject[]>;
  turn_tools: JsonWithDefault<readonly JsonObject[]>;
  usage: JsonWithDefault<readonly JsonObject[]>;
  due_at: Nullable<Date>;
  leased_until: HintTime;
  turn: WithDefault<number>;
  tries: WithDefault<number>;
  created_at: Date;
  customer_at: Nullable<Date>;
  ends_at: Date;
  ended_at: Nullable<Date>;
  campaign_id: Nullable<string>;
  taken_by: Nullable<string>;
  taken_at: Nullable<Date>;
  platform_analysis: NullableJson<JsonObject>;
  client_analysis: NullableJson<JsonObject>;
  evaluations: NullableJson<readonly JsonObject[]>;
  processed_at: Nullable<Date>;
  erased_at: Nullable<Date>;
}

export interface ChatMessageTable {
  workspace_id: string;
  chat_id: string;
  id: string;
  seq: Generated<number>;
  role: ChatRole;
  kind: WithDefault<string>;
  text: string;
  content: NullableJson<JsonObject>;
  external_id: Nullable<string>;
  sent_at: Date;
  created_at: Date;
  turn: Nullable<number>;
  state: Nullable<SendState>;
  due_at: Nullable<Date>;
  tries: WithDefault<number>;
  error_code: Nullable<number>;
  author: Nullable<string>;
  spoken_by: NullableJson<JsonObject>;
}
