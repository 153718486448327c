import type { ColumnType, Generated } from 'kysely';
import type {
  JsonObject,
  JsonWithDefault,
  Nullable,
  NullableJson,
  WithDefault,
  CallStatus,
  CallType,
  AttemptStatus,
} from './types.ts';

export interface CallTable {
  workspace_id: string;
  id: string;
  campaign_id: Nullable<string>;
  agent_id: string;
  version_id: string;
  number_id: Nullable<string>;
  call_type: CallType;
  /** Empty until a campaign's call is claimed. */
  from_number: WithDefault<string>;
  to_number: string;
  callee_name: WithDefault<string>;
  args: JsonWithDefault<Record<string, string>>;
  call_config: ColumnType<JsonObject | null, string | null | undefined, string | null>;
  callback: ColumnType<JsonObject | null, string | null | undefined, string | null>;
  status: CallStatus;
  sub_status: string;
  attempt: WithDefault<number>;
  retries_used: WithDefault<number>;
  next_attempt_at: Nullable<Date>;
  node_id: Nullable<string>;
  reserved: WithDefault<number>;
  cost: WithDefault<number>;
  created_at: Date;
  updated_at: Date;
  dialed_at: Nullable<Date>;
  answered_at: Nullable<Date>;
  ended_at: Nullable<Date>;
  duration_ms: Nullable<number>;
  hangup_by: Nullable<string>;
  voice_id: Nullable<string>;
  category: Nullable<string>;
  parent_call_id: Nullable<string>;
  callback_call_id: Nullable<string>;
  /** For a callback: the campaign of the call that requested it. */
  origin_campaign_id: Nullable<string>;
  /** The contact's row in its campaign's CSV, from 1, without the header. */
  contact_row: Nullable<number>;
  no_retry: WithDefault<boolean>;
  /** Of an ended call; null: it has not ended, or an earlier version ended it. */
  result: Nullable<string>;
  result_source: Nullable<'goal' | 'label' | 'ending'>;
}

export interface CallAttemptTable {
  workspace_id: string;
  call_id: string;
  attempt: number;
  node_id: string;
  status: AttemptStatus;
  sub_status: Nullable<string>;
  claimed_at: Date;
  dialed_at: Nullable<Date>;
  ringing_at: Nullable<Date>;
  answered_at: Nullable<Date>;
  ended_at: Nullable<Date>;
  sip_call_id: Nullable<string>;
  sip_code: Nullable<number>;
  reason: Nullable<string>;
  failure_code: Nullable<string>;
  sip_messages: Nullable<string>;
  duration_ms: Nullable<number>;
  cost: WithDefault<number>;
  campaign_id: Nullable<string>;
  number_id: Nullable<string>;
  to_number: Nullable<string>;
  sent_at: Nullable<Date>;
  callback_at: Nullable<Date>;
}

export interface CallRecordTable {
  workspace_id: string;
  call_id: string;
  /** The attempt of the conversation; null: none. */
  attempt: Nullable<number>;
  transcript: NullableJson<readonly JsonObject[]>;
  transcript_partial: WithDefault<boolean>;
  latency: NullableJson<readonly JsonObject[]>;
  usage: NullableJson<readonly JsonObject[]>;
  vendor_faults: NullableJson<readonly JsonObject[]>;
  tool_log: NullableJson<readonly JsonObject[]>;
  media: NullableJson<JsonObject>;
  interruptions: Nullable<number>;
  first_utterance_ms: Nullable<number>;
  answered_by: NullableJson<JsonObject>;
  recording_path: Nullable<string>;
  recording_ms: Nullable<number>;
  recording_bytes: Nullable<number>;
  recording_state: Nullable<'stored' | 'partial' | 'failed'>;
  recording_pauses: NullableJson<readonly JsonObject[]>;
  platform_analysis: NullableJson<JsonObject>;
  client_analysis: NullableJson<JsonObject>;
  evaluations: NullableJson<readonly JsonObject[]>;
  feedback: NullableJson<JsonObject>;
  event_log: Nullable<Buffer>;
  updated_at: Date;
  erased_at: Nullable<Date>;
}

/** The conversations of live calls so far. */
export interface TalkJournalTable {
  workspace_id: string;
  call_id: string;
  attempt: number;
  seq: number;
  piece: string;
  at: Date;
}

export interface RecordingFileTable {
  workspace_id: string;
  call_id: string;
  attempt: number;
  path: string;
  disk: Nullable<string>;
  place: WithDefault<'disk' | 'store'>;
  state: 'repair' | 'upload' | 'uploaded' | 'kept' | 'delete';
  due_at: Date;
  taken_until: Nullable<Date>;
  tries: WithDefault<number>;
  last_error: Nullable<string>;
  created_at: Date;
  adding: JsonWithDefault<Record<string, string>>;
  erasures: WithDefault<string[]>;
}

export interface ErasureTable {
  workspace_id: string;
  id: string;
  mobile_numbers: string[];
  state: 'due' | 'done';
  due_at: Date;
  after_list: Nullable<string>;
  lists_done: WithDefault<boolean>;
  after_call: Nullable<string>;
  walked: WithDefault<boolean>;
  waiting: WithDefault<string[]>;
  erased_calls: WithDefault<number>;
  requested_at: Date;
  done_at: Nullable<Date>;
}

export interface AuditLogTable {
  workspace_id: string;
  id: string;
  at: Date;
  actor_type: string;
  actor: string;
  action: string;
  method: string;
  route: string;
  status: number;
  objects: JsonWithDefault<JsonObject>;
  request_id: string;
  address: Nullable<string>;
}

export interface LedgerTable {
  workspace_id: string;
  call_id: string;
  attempt: number;
  kind: 'lock' | 'charge' | 'transfer';
  amount: number;
  at: Date;
}

export interface DoNotCallTable {
  workspace_id: string;
  number: string;
  reason: string;
  created_at: Date;
}

export interface HistoryExportTable {
  workspace_id: string;
  filter_hash: string;
  token: string;
  beat_at: Date;
}

interface EndedCallKey {
  workspace_id: string;
  agent_id: string;
  version_id: string;
  number_id: string;
  campaign_id: string;
  call_type: CallType;
  status: CallStatus;
  sub_status: string;
  duration_bucket: number;
  attempts: number;
  duration_ms: number;
  cost: number;
}

/** `day` is a date; read it with to_char, because a Date would depend on the process's time zone. */
export interface CallDayTable extends EndedCallKey {
  day: string;
  calls: number;
}

export interface CallEndingTable extends EndedCallKey {
  id: Generated<number>;
  day: string;
}

/** Sums of `call_days`, maintained by its trigger. */
export interface CallTotalTable {
  workspace_id: string;
  day: string;
  call_type: CallType;
  status: CallStatus;
  calls: number;
}

/** Calls of every status by the day of their creation. */
export interface CallBegunTable {
  workspace_id: string;
  day: string;
  call_type: CallType;
  calls: number;
}

export interface CallBeginningTable extends CallBegunTable {
  id: Generated<number>;
}

/** Sums of ended attempts; `quarter` counts quarters of an hour since 1970. */
export interface AttemptQuarterTable {
  workspace_id: string;
  campaign_id: string;
  quarter: number;
  attempt: number;
  calls: number;
  answered: number;
  busy_ms: number;
}

export interface HangupRequestTable {
  workspace_id: string;
  call_id: string;
  attempt: number;
  node_id: string;
  requested_at: Date;
}

/** A second leg of a transferred call; until it ends it uses a channel of its trunk while the attempt is live. */
export interface TransferLegTable {
  workspace_id: string;
  call_id: string;
  attempt: number;
  leg: WithDefault<number>;
  trunk_id: string;
  /** Micro-credits; part of the call's `reserved`. */
  reserved: WithDefault<number>;
  started_at: Date;
  answered_at: Nullable<Date>;
  ended_at: Nullable<Date>;
}
