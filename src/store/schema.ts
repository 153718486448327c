import type { ColumnType, Generated } from 'kysely';

/**
 * The tables as queries see them (migrations/ is the truth). bigint is a safe integer, timestamptz a Date;
 * jsonb is written as JSON text and read as a value.
 */
export interface Schema {
  workspaces: WorkspaceTable;
  users: UserTable;
  memberships: MembershipTable;
  api_keys: ApiKeyTable;
  trunks: TrunkTable;
  numbers: NumberTable;
  agents: AgentTable;
  agent_versions: AgentVersionTable;
  calls: CallTable;
  call_attempts: CallAttemptTable;
  call_records: CallRecordTable;
  ledger: LedgerTable;
  events: EventTable;
  deliveries: DeliveryTable;
  delivery_queue: DeliveryQueueTable;
  webhook_secrets: WebhookSecretTable;
  jobs: JobTable;
  nodes: NodeTable;
  idempotency_keys: IdempotencyKeyTable;
  do_not_call: DoNotCallTable;
  number_pools: NumberPoolTable;
  credit_transfers: CreditTransferTable;
  history_exports: HistoryExportTable;
  installation: InstallationTable;
  knowledge_bases: KnowledgeBaseTable;
  knowledge_sources: KnowledgeSourceTable;
  knowledge_chunks: KnowledgeChunkTable;
  call_days: CallDayTable;
  call_endings: CallEndingTable;
  campaigns: CampaignTable;
  campaign_numbers: CampaignNumberTable;
  campaign_do_not_call: CampaignDoNotCallTable;
  campaign_uploads: CampaignUploadTable;
  campaign_upload_pieces: CampaignUploadPieceTable;
  recording_files: RecordingFileTable;
  erasures: ErasureTable;
  audit_log: AuditLogTable;
}

export type JsonObject = Record<string, unknown>;
/** Read as T, written as JSON text. */
type Json<T> = ColumnType<T, string, string>;
type JsonWithDefault<T> = ColumnType<T, string | undefined, string>;
type WithDefault<T> = ColumnType<T, T | undefined, T>;
type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>;
/** May be 'infinity' or 'epoch' in SQL; 'infinity' reads as an Invalid Date. */
type HintTime = ColumnType<Date, Date | string | undefined, Date | string>;

export type CallStatus = 'registered' | 'ongoing' | 'retry' | 'completed' | 'failed' | 'error' | 'cancelled';
export type CallType = 'outbound' | 'inbound' | 'webcall';
export type AttemptStatus = 'claimed' | 'dialing' | 'ringing' | 'answered' | 'ended';
export type CampaignState =
  | 'uploaded'
  | 'verifying'
  | 'draft'
  | 'scheduled'
  | 'ongoing'
  | 'paused'
  | 'completed'
  | 'terminated'
  | 'failed'
  | 'insufficient_balance';
export type AgentType = 'inbound' | 'outbound' | 'outbound_inbound';

interface WorkspaceTable {
  id: string;
  parent_id: Nullable<string>;
  name: string;
  credits: WithDefault<number>;
  locked_credits: WithDefault<number>;
  unlimited: WithDefault<boolean>;
  call_limit: WithDefault<number>;
  settings: JsonWithDefault<JsonObject>;
  next_due_at: HintTime;
  served_at: HintTime;
  created_at: Date;
  updated_at: Date;
  own_served_at: HintTime;
}

interface UserTable {
  id: string;
  email: string;
  password_hash: string;
  created_at: Date;
}

interface MembershipTable {
  workspace_id: string;
  user_id: string;
  role: 'owner' | 'admin' | 'member' | 'viewer';
  created_at: Date;
}

interface ApiKeyTable {
  workspace_id: string;
  key_hash: string;
  shown_prefix: string;
  shown_last4: string;
  created_at: Date;
  last_used_at: Nullable<Date>;
}

interface TrunkTable {
  id: string;
  name: string;
  settings: Json<JsonObject>;
  created_at: Date;
  updated_at: Date;
  pace_tokens: Nullable<number>;
  pace_at: Nullable<Date>;
}

interface NumberTable {
  workspace_id: string;
  id: string;
  number: string;
  trunk_id: Nullable<string>;
  display_name: WithDefault<string>;
  provider: WithDefault<string>;
  is_test_number: WithDefault<boolean>;
  is_spam: WithDefault<boolean>;
  inbound_agent_id: Nullable<string>;
  call_limit: Nullable<number>;
  number_pool_id: Nullable<string>;
  last_used_at: Nullable<Date>;
  created_at: Date;
  updated_at: Date;
  rated_at: Nullable<Date>;
  rest_until: Nullable<Date>;
}

interface AgentTable {
  workspace_id: string;
  id: string;
  display_name: string;
  agent_type: AgentType;
  active_version_id: string;
  webcall_public_key: string;
  created_at: Date;
  updated_at: Date;
  archived_at: Nullable<Date>;
  ab_started_at: Nullable<Date>;
  classification_labels: WithDefault<readonly string[]>;
}

interface AgentVersionTable {
  workspace_id: string;
  agent_id: string;
  id: string;
  slug: string;
  description: WithDefault<string>;
  call_traffic: WithDefault<number>;
  config: Json<JsonObject>;
  created_at: Date;
  updated_at: Date;
}

interface CallTable {
  workspace_id: string;
  id: string;
  lane_id: Nullable<string>;
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
  /** The contact's row in its campaign's CSV, counted from 1 without the header. */
  contact_row: Nullable<number>;
  no_retry: WithDefault<boolean>;
}

interface CallAttemptTable {
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
  duration_ms: Nullable<number>;
  cost: WithDefault<number>;
  lane_id: Nullable<string>;
  number_id: Nullable<string>;
  to_number: Nullable<string>;
  sent_at: Nullable<Date>;
}

type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>;

interface CallRecordTable {
  workspace_id: string;
  call_id: string;
  transcript: NullableJson<readonly JsonObject[]>;
  latency: NullableJson<readonly JsonObject[]>;
  tool_log: NullableJson<readonly JsonObject[]>;
  media: NullableJson<JsonObject>;
  interruptions: Nullable<number>;
  first_utterance_ms: Nullable<number>;
  recording_path: Nullable<string>;
  recording_ms: Nullable<number>;
  recording_bytes: Nullable<number>;
  recording_state: Nullable<'stored' | 'partial' | 'failed'>;
  platform_analysis: NullableJson<JsonObject>;
  client_analysis: NullableJson<JsonObject>;
  updated_at: Date;
  erased_at: Nullable<Date>;
}

interface RecordingFileTable {
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
}

interface ErasureTable {
  workspace_id: string;
  id: string;
  mobile_numbers: string[];
  state: 'due' | 'done';
  due_at: Date;
  after_call: Nullable<string>;
  walked: WithDefault<boolean>;
  waiting: WithDefault<string[]>;
  erased_calls: WithDefault<number>;
  requested_at: Date;
  done_at: Nullable<Date>;
}

interface AuditLogTable {
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

interface LedgerTable {
  workspace_id: string;
  call_id: string;
  attempt: number;
  kind: 'lock' | 'charge';
  amount: number;
  at: Date;
}

interface EventTable {
  workspace_id: string;
  id: string;
  call_id: string;
  seq: Generated<number>;
  dedup: string;
  event_type: string;
  body: Json<JsonObject>;
  occurred_at: Date;
}

interface DeliveryTable {
  workspace_id: string;
  id: string;
  event_id: string;
  call_id: string;
  lane_id: Nullable<string>;
  event_seq: number;
  event_type: string;
  is_test: WithDefault<boolean>;
  resends: WithDefault<number>;
  target: string;
  host: string;
  url: string;
  method: string;
  headers: Json<Record<string, string>>;
  state: 'due' | 'delivered' | 'dead';
  attempt: WithDefault<number>;
  due_at: Date;
  attempts: JsonWithDefault<readonly JsonObject[]>;
  created_at: Date;
  finished_at: Nullable<Date>;
}

/** What is still to be delivered: a row of `deliveries` whose state is due. */
interface DeliveryQueueTable {
  workspace_id: string;
  id: string;
  call_id: string;
  lane_id: Nullable<string>;
  event_seq: number;
  target: string;
  host: string;
  is_resend: WithDefault<boolean>;
  attempt: WithDefault<number>;
  due_at: Date;
  leased_until: HintTime;
}

interface WebhookSecretTable {
  workspace_id: string;
  id: string;
  /** Sealed; plain where it was the installation's and is not used yet. */
  secret: string;
  created_at: Date;
  retires_at: Nullable<Date>;
}

interface JobTable {
  id: string;
  workspace_id: Nullable<string>;
  kind: string;
  dedup: string;
  payload: Json<JsonObject>;
  state: 'due' | 'done' | 'dead';
  attempt: WithDefault<number>;
  due_at: Date;
  last_error: Nullable<string>;
  created_at: Date;
}

interface NodeTable {
  id: string;
  name: string;
  roles: string;
  beat_at: Date;
  started_at: Date;
  draining: WithDefault<boolean>;
  fenced_at: Nullable<Date>;
}

interface IdempotencyKeyTable {
  workspace_id: string;
  key: string;
  route: string;
  body_hash: string;
  status: Nullable<number>;
  response: ColumnType<unknown, string | null | undefined, string | null>;
  created_at: Date;
}

interface DoNotCallTable {
  workspace_id: string;
  number: string;
  reason: string;
  created_at: Date;
}

interface NumberPoolTable {
  workspace_id: string;
  id: string;
  name: string;
  created_at: Date;
  updated_at: Date;
}

interface CreditTransferTable {
  workspace_id: string;
  id: string;
  child_id: string;
  amount: number;
  at: Date;
}

interface HistoryExportTable {
  workspace_id: string;
  filter_hash: string;
  token: string;
  beat_at: Date;
}

interface InstallationTable {
  key: string;
  value: string;
  created_at: Date;
}

interface EndedCallKey {
  workspace_id: string;
  agent_id: string;
  version_id: string;
  number_id: string;
  lane_id: string;
  call_type: CallType;
  status: CallStatus;
  sub_status: string;
  duration_bucket: number;
  attempts: number;
  duration_ms: number;
  cost: number;
}

/** `day` is a date; read it with to_char, since a Date of it depends on the machine's zone. */
interface CallDayTable extends EndedCallKey {
  day: string;
  calls: number;
}

interface CallEndingTable extends EndedCallKey {
  id: Generated<number>;
  day: string;
}

interface CampaignTable {
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
  breaker_since: Nullable<Date>;
  next_due_at: HintTime;
  served_at: HintTime;
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

interface CampaignNumberTable {
  workspace_id: string;
  campaign_id: string;
  number_id: string;
}

interface CampaignDoNotCallTable {
  workspace_id: string;
  campaign_id: string;
  number: string;
  reason: string;
  created_at: Date;
}

interface CampaignUploadTable {
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

interface CampaignUploadPieceTable {
  workspace_id: string;
  upload_id: string;
  kind: 'file' | 'rejects';
  seq: number;
  content: Buffer;
}

interface KnowledgeBaseTable {
  workspace_id: string;
  id: string;
  name: string;
  created_at: Date;
  updated_at: Date;
}

interface KnowledgeSourceTable {
  workspace_id: string;
  kb_id: string;
  id: string;
  kind: 'file' | 'url' | 'faq';
  name: string;
  answer: Nullable<string>;
  format: Nullable<string>;
  content: Nullable<Buffer>;
  size_bytes: Nullable<number>;
  status: 'pending' | 'ready' | 'failed';
  error: Nullable<string>;
  chunk_count: WithDefault<number>;
  created_at: Date;
  updated_at: Date;
}

interface KnowledgeChunkTable {
  workspace_id: string;
  kb_id: string;
  source_id: string;
  seq: number;
  heading: WithDefault<string>;
  question: Nullable<string>;
  asked: Nullable<string>;
  body: string;
  search: string;
}
