import type { SendState } from './chats.ts';
import type {
  CallStatus,
  HintTime,
  JsonObject,
  JsonWithDefault,
  Nullable,
  NullableJson,
  WithDefault,
  CampaignState,
} from './types.ts';

export interface CampaignTable {
  workspace_id: string;
  id: string;
  agent_id: string;
  name: string;
  state: CampaignState;
  message: Nullable<string>;
  call_config: NullableJson<JsonObject>;
  variables_map: JsonWithDefault<Record<string, string>>;
  country_code: Nullable<string>;
  remove_invalid_rows: WithDefault<boolean>;
  start_at: Nullable<Date>;
  end_at: Nullable<Date>;
  number_pool_id: Nullable<string>;
  callback: NullableJson<JsonObject>;
  concurrency_percentage: Nullable<number>;
  breaker: NullableJson<JsonObject>;
  template: NullableJson<JsonObject>;
  whatsapp_number_ids: WithDefault<string[]>;
  breaker_since: Nullable<Date>;
  next_due_at: HintTime;
  served_at: HintTime;
  considered_at: HintTime;
  total_rows: WithDefault<number>;
  processed_rows: WithDefault<number>;
  successful_rows: WithDefault<number>;
  failed_rows: WithDefault<number>;
  created_at: Date;
  updated_at: Date;
  started_at: Nullable<Date>;
  ended_at: Nullable<Date>;
  reported_at: Nullable<Date>;
  ramp_limit: Nullable<number>;
  ramp_at: Nullable<Date>;
}

export interface CampaignMessageTable {
  workspace_id: string;
  campaign_id: string;
  id: string;
  contact_row: number;
  to_number: string;
  callee_name: WithDefault<string>;
  args: JsonWithDefault<Record<string, string>>;
  status: WithDefault<CallStatus>;
  sub_status: WithDefault<string>;
  attempt: WithDefault<number>;
  tries: WithDefault<number>;
  retries_used: WithDefault<number>;
  next_attempt_at: Date;
  number_id: Nullable<string>;
  state: Nullable<Exclude<SendState, 'queued'>>;
  due_at: Nullable<Date>;
  external_id: Nullable<string>;
  customer: Nullable<string>;
  text: Nullable<string>;
  error_code: Nullable<number>;
  claimed_at: Nullable<Date>;
  sent_at: Nullable<Date>;
  delivered_at: Nullable<Date>;
  read_at: Nullable<Date>;
  answered_at: Nullable<Date>;
  chat_id: Nullable<string>;
  ended_at: Nullable<Date>;
  created_at: Date;
  updated_at: Date;
}

export interface CampaignNumberTable {
  workspace_id: string;
  campaign_id: string;
  number_id: string;
}

export interface CampaignDoNotCallTable {
  workspace_id: string;
  campaign_id: string;
  number: string;
  reason: string;
  created_at: Date;
}

export interface CampaignUploadTable {
  workspace_id: string;
  id: string;
  flow: 'save' | 'upload';
  state: 'receiving' | 'received' | 'completed' | 'failed';
  plan: NullableJson<JsonObject>;
  file_bytes: WithDefault<number>;
  read_bytes: WithDefault<number>;
  report: NullableJson<JsonObject>;
  has_rejects: WithDefault<boolean>;
  beat_at: Date;
  created_at: Date;
}

export interface CampaignUploadPieceTable {
  workspace_id: string;
  upload_id: string;
  kind: 'file' | 'rejects';
  seq: number;
  content: Buffer;
}
