// Generated from the migrated database: npm run tables.
import type { ColumnType } from 'kysely';
import type { AnsweredBy, TranscriptLine } from '@callwright/turns';
import type { NodeFigures } from '../shared/node-figures.ts';
import type { SpokenBy } from '../shared/spoken-by.ts';
import type { Wire } from '../shared/wire-names.ts';
import type { CallFault, RecordingPause, ToolLogEntry } from '../voice/conversation.ts';
import type { VendorUse } from '../voice/measures.ts';
import type { AgentType, VersionConfig } from './json/agent-version.ts';
import type { CallCallback } from './json/callback.ts';
import type { CallLevelConfig } from './json/call-config.ts';
import type { AgentShare, Evaluation, JsonObject, StoredFeedback, StoredLatency } from './json/call-record.ts';
import type { ChatUse, JournaledTool } from './json/chat.ts';
import type { ImportReport } from './json/contact-import.ts';
import type { ProviderSettings } from './json/provider-settings.ts';
import type { RehearsalResult, RehearsedCall } from './json/rehearsal.ts';
import type { Template } from './json/template.ts';
import type { CaseDefinition, PlayedTurn, Verdict } from './json/test-case.ts';

/** Read as T, written as JSON text. */
type Json<T> = ColumnType<T, string, string>;
type JsonWithDefault<T> = ColumnType<T, string | undefined, string>;

/** A scheduling hint: may be 'infinity' or 'epoch' in SQL; 'infinity' reads as an Invalid Date. */
type HintTime = ColumnType<Date, Date | string | undefined, Date | string>;

export type Generated<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>;

export interface AccountLog {
  action: string;
  address: string | null;
  at: Date;
  by: string | null;
  id: string;
  user_id: string;
}

export interface Agents {
  ab_started_at: Date | null;
  active_version_id: string;
  agent_type: AgentType;
  archived_at: Date | null;
  classification_labels: Generated<readonly string[]>;
  created_at: Date;
  display_name: string;
  id: string;
  updated_at: Date;
  webcall_public_key: string;
  workspace_id: string;
}

export interface AgentTestCases {
  agent_id: string;
  created_at: Date;
  definition: Json<Wire<CaseDefinition>>;
  id: string;
  name: string;
  source_id: string | null;
  updated_at: Date;
  workspace_id: string;
}

export interface AgentTestResults {
  case_id: string;
  definition: Json<Wire<CaseDefinition>>;
  end_reason: string | null;
  ended_at: Date | null;
  error: string | null;
  position: number;
  run_id: string;
  source_id: string | null;
  started_at: Date | null;
  state: 'queued' | 'running' | 'passed' | 'failed' | 'not_judged' | 'error';
  turns: JsonWithDefault<readonly PlayedTurn[]>;
  updated_at: Date;
  verdicts: JsonWithDefault<readonly Verdict[]>;
  version_changed_at: Date | null;
  version_id: string;
  workspace_id: string;
}

export interface AgentTestRuns {
  agent_id: string;
  created_at: Date;
  id: string;
  on_model_failure: Generated<'error' | 'script'>;
  runs_tools: boolean;
  version_id: string;
  workspace_id: string;
}

export interface AgentVersions {
  agent_id: string;
  author: string | null;
  base_config: Json<Wire<VersionConfig>> | null;
  base_version_id: string | null;
  call_traffic: Generated<number>;
  config: Json<Wire<VersionConfig>>;
  created_at: Date;
  description: Generated<string>;
  draft: 'open' | 'closed' | null;
  id: string;
  is_listed: Generated<boolean>;
  slug: string;
  updated_at: Date;
  workspace_id: string;
}

export interface ApiKeys {
  allowed_addresses: string[] | null;
  created_at: Date;
  expires_at: Date | null;
  id: string;
  key_hash: string;
  last_used_at: Date | null;
  made_by: string | null;
  name: string | null;
  scopes: string[] | null;
  shown_last4: string;
  shown_prefix: string;
  workspace_id: string;
}

export interface ApiRequestFloors {
  at: Date;
  workspace_id: string;
}

export interface ApiRequests {
  at: Date;
  body: string | null;
  body_bytes: number | null;
  content_type: string | null;
  duration_ms: number;
  id: string;
  is_cut: boolean;
  key: string;
  method: string;
  notices: string[] | null;
  path: string;
  request_id: string;
  response: string | null;
  status: number;
  workspace_id: string;
}

export interface AttemptDays {
  agent_id: string;
  answered: number;
  attempts: number;
  campaign_id: string;
  day: string;
  first_attempts: number;
  number_id: string;
  version_id: string;
  workspace_id: string;
}

export interface AttemptQuarters {
  answered: number;
  attempt: number;
  busy_ms: number;
  calls: number;
  campaign_id: string;
  quarter: number;
  workspace_id: string;
}

export interface AttemptSlots {
  agent_id: string;
  answered: number;
  attempts: number;
  campaign_id: string;
  duration_ms: number;
  slot: Date;
  workspace_id: string;
}

export interface AttemptWeeks {
  agent_id: string;
  answered: number;
  attempts: number;
  duration_ms: number;
  slot: Date;
  workspace_id: string;
}

export interface AuditLog {
  action: string;
  actor: string;
  actor_type: string;
  address: string | null;
  at: Date;
  id: string;
  method: string;
  objects: JsonWithDefault<JsonObject>;
  request_id: string;
  route: string;
  status: number;
  workspace_id: string;
}

export interface CallAttempts {
  answered_at: Date | null;
  attempt: number;
  call_id: string;
  callback_at: Date | null;
  campaign_id: string | null;
  claimed_at: Date;
  cost: Generated<number>;
  dialed_at: Date | null;
  duration_ms: number | null;
  ended_at: Date | null;
  failure_code: string | null;
  node_id: string;
  number_id: string | null;
  reason: string | null;
  ringing_at: Date | null;
  sent_at: Date | null;
  sip_call_id: string | null;
  sip_code: number | null;
  sip_messages: string | null;
  status: 'claimed' | 'dialing' | 'ringing' | 'answered' | 'ended';
  sub_status: string | null;
  to_number: string | null;
  workspace_id: string;
}

export interface CallBeginnings {
  at: Date | null;
  call_type: Calls['call_type'];
  calls: number;
  day: string;
  id: Generated<number>;
  workspace_id: string;
}

export interface CallBegun {
  call_type: Calls['call_type'];
  calls: number;
  day: string;
  workspace_id: string;
}

export interface CallChecks {
  agent_id: string;
  call_id: string;
  checked_at: Date;
  day: string;
  score: number | null;
  scorecard_version: number | null;
  verdicts: Json<JsonObject> | null;
  version_id: string;
  workspace_id: string;
}

export interface CallDays {
  agent_id: string;
  attempts: number;
  call_type: Calls['call_type'];
  calls: number;
  campaign_id: string;
  cost: number;
  day: string;
  duration_bucket: number;
  duration_ms: number;
  number_id: string;
  status: Calls['status'];
  sub_status: string;
  version_id: string;
  workspace_id: string;
}

export interface CallEndings {
  agent_id: string;
  at: Date | null;
  attempts: number;
  call_type: Calls['call_type'];
  campaign_id: string;
  cost: number;
  day: string;
  duration_bucket: number;
  duration_ms: number;
  id: Generated<number>;
  number_id: string;
  status: Calls['status'];
  sub_status: string;
  version_id: string;
  workspace_id: string;
}

export interface CallFindings {
  agent_id: string;
  at_ms: number;
  call_id: string;
  day: string;
  detail: string | null;
  detector: string;
  false_at: Date | null;
  false_by: string | null;
  workspace_id: string;
}

export interface CallFollowUps {
  call_id: string;
  done_at: Date;
  done_by: string;
  workspace_id: string;
}

export interface CallListeners {
  call_id: string;
  created_at: Date;
  ended_at: Date | null;
  expires_at: Date;
  id: string;
  listener: string;
  origin: string;
  session_id: string | null;
  started_at: Date | null;
  token_hash: string;
  workspace_id: string;
}

export interface CallRecords {
  agents: Json<readonly AgentShare[]> | null;
  answered_by: Json<AnsweredBy> | null;
  attempt: number | null;
  call_id: string;
  client_analysis: Json<JsonObject> | null;
  erased_at: Date | null;
  evaluations: Json<readonly Evaluation[]> | null;
  event_log: Buffer | null;
  feedback: Json<StoredFeedback> | null;
  first_utterance_ms: number | null;
  interruptions: number | null;
  latency: Json<readonly StoredLatency[]> | null;
  media: Json<JsonObject> | null;
  platform_analysis: Json<JsonObject> | null;
  recording_bytes: number | null;
  recording_ms: number | null;
  recording_path: string | null;
  recording_pauses: Json<readonly RecordingPause[]> | null;
  recording_state: 'stored' | 'partial' | 'failed' | null;
  tool_log: Json<readonly ToolLogEntry[]> | null;
  transcript: Json<readonly TranscriptLine[]> | null;
  transcript_partial: Generated<boolean>;
  updated_at: Date;
  usage: Json<readonly VendorUse[]> | null;
  vendor_faults: Json<readonly CallFault[]> | null;
  workspace_id: string;
}

export interface Calls {
  agent_id: string;
  answered_at: Date | null;
  args: JsonWithDefault<Record<string, string>>;
  attempt: Generated<number>;
  by_stranger: Generated<boolean>;
  call_config: Json<Wire<CallLevelConfig>> | null;
  call_type: 'outbound' | 'inbound' | 'webcall';
  callback: Json<CallCallback> | null;
  callback_call_id: string | null;
  callee_name: Generated<string>;
  campaign_id: string | null;
  category: string | null;
  contact_row: number | null;
  cost: Generated<number>;
  created_at: Date;
  dialed_at: Date | null;
  duration_ms: number | null;
  ended_at: Date | null;
  from_number: Generated<string>;
  hangup_by: string | null;
  id: string;
  next_attempt_at: Date | null;
  no_retry: Generated<boolean>;
  node_id: string | null;
  number_id: string | null;
  origin_campaign_id: string | null;
  parent_call_id: string | null;
  reserved: Generated<number>;
  result: string | null;
  result_source: 'goal' | 'label' | 'ending' | null;
  retries_used: Generated<number>;
  status: 'registered' | 'ongoing' | 'retry' | 'completed' | 'failed' | 'error' | 'cancelled';
  sub_status: string;
  to_number: string;
  updated_at: Date;
  version_id: string;
  voice_id: string | null;
  workspace_id: string;
}

export interface CallTotals {
  call_type: Calls['call_type'];
  calls: number;
  day: string;
  status: Calls['status'];
  workspace_id: string;
}

export interface CampaignDoNotCall {
  campaign_id: string;
  created_at: Date;
  number: string;
  reason: string;
  workspace_id: string;
}

export interface CampaignMessages {
  answered_at: Date | null;
  args: JsonWithDefault<Record<string, string>>;
  attempt: Generated<number>;
  callee_name: Generated<string>;
  campaign_id: string;
  chat_id: string | null;
  claimed_at: Date | null;
  contact_row: number;
  created_at: Date;
  customer: string | null;
  delivered_at: Date | null;
  due_at: Date | null;
  ended_at: Date | null;
  error_code: number | null;
  external_id: string | null;
  id: string;
  next_attempt_at: Date;
  number_id: string | null;
  read_at: Date | null;
  retries_used: Generated<number>;
  sent_at: Date | null;
  state: 'sending' | 'unsure' | 'sent' | 'delivered' | 'read' | 'failed' | null;
  status: Generated<'registered' | 'ongoing' | 'retry' | 'completed' | 'failed' | 'error' | 'cancelled'>;
  sub_status: Generated<string>;
  text: string | null;
  to_number: string;
  tries: Generated<number>;
  updated_at: Date;
  workspace_id: string;
}

export interface CampaignNumbers {
  campaign_id: string;
  number_id: string;
  workspace_id: string;
}

export interface Campaigns {
  agent_id: string;
  breaker: Json<JsonObject> | null;
  breaker_since: Date | null;
  call_config: Json<Wire<CallLevelConfig>> | null;
  callback: Json<CallCallback> | null;
  concurrency_percentage: number | null;
  considered_at: HintTime;
  country_code: string | null;
  created_at: Date;
  dlt_template_id: string | null;
  end_at: Date | null;
  ended_at: Date | null;
  failed_rows: Generated<number>;
  id: string;
  message: string | null;
  name: string;
  next_due_at: HintTime;
  number_pool_id: string | null;
  processed_rows: Generated<number>;
  purpose: 'transactional' | 'service' | 'promotional' | null;
  ramp_at: Date | null;
  ramp_limit: number | null;
  remove_invalid_rows: Generated<boolean>;
  reported_at: Date | null;
  served_at: HintTime;
  start_at: Date | null;
  started_at: Date | null;
  state: 'uploaded' | 'verifying' | 'draft' | 'scheduled' | 'ongoing' | 'paused' | 'completed' | 'terminated' | 'failed' | 'insufficient_balance';
  successful_rows: Generated<number>;
  template: Json<Template> | null;
  total_rows: Generated<number>;
  updated_at: Date;
  variables_map: JsonWithDefault<Record<string, string>>;
  whatsapp_number_ids: Generated<string[]>;
  workspace_id: string;
}

export interface CampaignUploadPieces {
  content: Buffer;
  kind: 'file' | 'rejects';
  seq: number;
  upload_id: string;
  workspace_id: string;
}

export interface CampaignUploads {
  beat_at: Date;
  created_at: Date;
  file_bytes: Generated<number>;
  flow: 'save' | 'upload';
  has_rejects: Generated<boolean>;
  id: string;
  plan: Json<JsonObject> | null;
  read_bytes: Generated<number>;
  report: Json<ImportReport> | null;
  state: 'receiving' | 'received' | 'completed' | 'failed';
  workspace_id: string;
}

export interface CapNotices {
  at: Date;
  cap: string;
  workspace_id: string;
}

export interface CapStarts {
  at: Date;
  calls: number;
  strangers: Generated<number>;
  workspace_id: string;
}

export interface ChatMessages {
  author: string | null;
  chat_id: string;
  content: Json<JsonObject> | null;
  created_at: Date;
  due_at: Date | null;
  error_code: number | null;
  external_id: string | null;
  id: string;
  kind: Generated<string>;
  role: 'agent' | 'customer' | 'person';
  sent_at: Date;
  seq: Generated<number>;
  spoken_by: Json<SpokenBy> | null;
  state: 'queued' | 'sending' | 'unsure' | 'sent' | 'delivered' | 'read' | 'failed' | null;
  text: string;
  tries: Generated<number>;
  turn: number | null;
  workspace_id: string;
}

export interface Chats {
  agent_id: string;
  args: JsonWithDefault<Record<string, string>>;
  campaign_id: string | null;
  channel: 'whatsapp' | 'web' | 'test';
  channel_id: string | null;
  client_analysis: Json<JsonObject> | null;
  created_at: Date;
  customer: string;
  customer_at: Date | null;
  customer_name: Generated<string>;
  customer_number: string | null;
  due_at: Date | null;
  end_reason: string | null;
  ended_at: Date | null;
  ends_at: Date;
  erased_at: Date | null;
  evaluations: Json<readonly Evaluation[]> | null;
  id: string;
  leased_until: HintTime;
  platform_analysis: Json<JsonObject> | null;
  processed_at: Date | null;
  state: Generated<'open' | 'with_person' | 'closed'>;
  taken_at: Date | null;
  taken_by: string | null;
  taken_key: string | null;
  taken_session: string | null;
  talk: JsonWithDefault<JsonObject>;
  tool_log: JsonWithDefault<readonly ToolLogEntry[]>;
  tries: Generated<number>;
  turn: Generated<number>;
  turn_tools: JsonWithDefault<readonly JournaledTool[]>;
  usage: JsonWithDefault<readonly ChatUse[]>;
  version_id: string;
  workspace_id: string;
}

export interface ContactMarks {
  masked_until: string;
  workspace_id: string;
}

export interface CreditTransfers {
  amount: number;
  at: Date;
  child_id: string;
  id: string;
  workspace_id: string;
}

export interface Deliveries {
  any_2xx: Generated<boolean>;
  attempt: Generated<number>;
  attempts: JsonWithDefault<readonly JsonObject[]>;
  call_id: string;
  campaign_id: string | null;
  created_at: Date;
  due_at: Date;
  event_id: string;
  event_seq: number;
  event_type: string;
  finished_at: Date | null;
  forget_address: Generated<boolean>;
  headers: Json<Record<string, string>>;
  host: string;
  id: string;
  is_test: Generated<boolean>;
  method: string;
  recovers: Generated<boolean>;
  resends: Generated<number>;
  state: 'due' | 'delivered' | 'dead';
  target: string;
  url: string;
  without_answers: Generated<boolean>;
  workspace_id: string;
}

export interface DeliveryQueue {
  attempt: Generated<number>;
  call_id: string;
  campaign_id: string | null;
  due_at: Date;
  event_seq: number;
  host: string;
  id: string;
  interruptions: Generated<number>;
  is_resend: Generated<boolean>;
  leased_until: HintTime;
  target: string;
  workspace_id: string;
}

export interface DoNotCall {
  created_at: Date;
  number: string;
  reason: string;
  workspace_id: string;
}

export interface EndedAttempts {
  agent_id: string;
  attempt: number;
  busy_ms: number;
  campaign_id: string;
  duration_ms: number;
  id: Generated<number>;
  is_answered: boolean;
  number_id: Generated<string>;
  slot: Date;
  turns: Json<readonly (readonly (number | null)[])[]>;
  version_id: string;
  workspace_id: string;
}

export interface Erasures {
  after_call: string | null;
  after_list: string | null;
  done_at: Date | null;
  due_at: Date;
  erased_calls: Generated<number>;
  id: string;
  lists_done: Generated<boolean>;
  mobile_numbers: string[];
  requested_at: Date;
  state: 'due' | 'done';
  tries: Generated<number>;
  waiting: Generated<string[]>;
  walked: Generated<boolean>;
  workspace_id: string;
}

export interface Events {
  body: Json<JsonObject>;
  call_id: string;
  dedup: string;
  event_type: string;
  id: string;
  occurred_at: Date;
  seq: Generated<number>;
  workspace_id: string;
}

export interface GivenUpDeliveries {
  at: Date;
  event_seq: number | null;
  id: string;
  outage_id: string | null;
  state: Generated<'new' | 'kept' | 'sending'>;
  workspace_id: string;
}

export interface HangupRequests {
  attempt: number;
  call_id: string;
  node_id: string;
  requested_at: Date;
  workspace_id: string;
}

export interface HeldCounts {
  count: number;
  ends_at: Date;
  key: string;
  name: string;
  process: string;
}

export interface HistoryExports {
  beat_at: Date;
  filter_hash: string;
  token: string;
  workspace_id: string;
}

export interface Holds {
  amount: number;
  at: Date;
  by_stranger: boolean;
  expires_at: Date;
  kind: 'chat' | 'test' | 'embedding' | 'preview' | 'search' | 'analysis';
  step: number;
  subject_id: string;
  turns: number;
  workspace_id: string;
}

export interface IdempotencyKeys {
  body_hash: string;
  created_at: Date;
  key: string;
  response: Json<unknown> | null;
  route: string;
  status: number | null;
  workspace_id: string;
}

export interface Installation {
  created_at: Date;
  key: string;
  value: string;
}

export interface Invitations {
  created_at: Date;
  email: string;
  expires_at: Date;
  id: string;
  invited_by: string | null;
  role: 'owner' | 'manager' | 'viewer';
  token_hash: string;
  workspace_id: string;
}

export interface Jobs {
  attempt: Generated<number>;
  created_at: Date;
  dedup: string;
  due_at: Date;
  id: string;
  kind: string;
  last_error: string | null;
  payload: Json<JsonObject>;
  state: 'due' | 'done' | 'dead';
  workspace_id: string;
}

export interface KnowledgeBases {
  created_at: Date;
  id: string;
  name: string;
  updated_at: Date;
  workspace_id: string;
}

export interface KnowledgeChunks {
  asked: string | null;
  body: string;
  heading: Generated<string>;
  kb_id: string;
  question: string | null;
  search: string;
  seq: number;
  source_id: string;
  workspace_id: string;
}

export interface KnowledgeSources {
  answer: string | null;
  chunk_count: Generated<number>;
  content: Buffer | null;
  created_at: Date;
  error: string | null;
  format: string | null;
  id: string;
  kb_id: string;
  kind: 'file' | 'url' | 'faq';
  name: string;
  size_bytes: number | null;
  status: 'pending' | 'ready' | 'failed';
  stored_bytes: Generated<number>;
  updated_at: Date;
  vector_due_at: Date | null;
  vector_error: string | null;
  vector_model: string | null;
  vector_target: string | null;
  vector_tries: Generated<number>;
  workspace_id: string;
}

export interface KnowledgeVectors {
  kb_id: string;
  model: string;
  seq: number;
  source_id: string;
  vector: Buffer;
  workspace_id: string;
}

export interface Ledger {
  amount: number;
  at: Date;
  attempt: number;
  call_id: string;
  kind: 'lock' | 'charge' | 'transfer' | 'chat' | 'test' | 'embedding' | 'preview' | 'search' | 'analysis';
  workspace_id: string;
}

export interface LimitCounts {
  count: number;
  ends_at: Date;
  key: string;
  name: string;
  since: Date;
}

export interface LinkKeys {
  created_at: Date;
  id: number;
  retires_at: Date | null;
  secret: string;
  signed_old_form: Generated<boolean>;
}

export interface Memberships {
  created_at: Date;
  role: 'owner' | 'manager' | 'viewer';
  user_id: string;
  workspace_id: string;
}

export interface Migrations {
  applied_at: Generated<Date>;
  checksum: string;
  name: string;
}

export interface Nodes {
  beat_at: Date;
  draining: Generated<boolean>;
  fenced_at: Date | null;
  figures: Json<NodeFigures> | null;
  id: string;
  name: string;
  roles: string;
  started_at: Date;
}

export interface NumberPools {
  created_at: Date;
  id: string;
  name: string;
  updated_at: Date;
  workspace_id: string;
}

export interface Numbers {
  call_limit: number | null;
  created_at: Date;
  display_name: Generated<string>;
  from_file: Generated<boolean>;
  id: string;
  inbound_agent_id: string | null;
  is_spam: Generated<boolean>;
  is_test_number: Generated<boolean>;
  last_used_at: Date | null;
  number: string;
  number_pool_id: string | null;
  provider: Generated<string>;
  purpose: 'transactional' | 'service' | 'promotional' | null;
  rated_at: Date | null;
  rest_until: Date | null;
  trunk_id: string | null;
  updated_at: Date;
  workspace_id: string;
}

export interface OptedOut {
  at: Date;
  digest: string;
  workspace_id: string;
}

export interface OptedOutKey {
  inner_pad: Buffer;
  only_row: Generated<boolean>;
  outer_pad: Buffer;
}

export interface PasswordLinks {
  created_at: Date;
  expires_at: Date;
  token_hash: string;
  user_id: string;
}

export interface ProvisionedSecrets {
  applied_at: Date;
  hash: string | null;
  kind: string;
  workspace_id: string;
}

export interface QualityAlerts {
  agent_id: string | null;
  detector: string | null;
  margin: number;
  measure: string;
  measured_at: Date | null;
  measured_calls: number | null;
  measured_value: number | null;
  minimum_calls: number;
  name: string;
  place: number;
  raised_at: Date | null;
  threshold: number;
  window_hours: number;
  workspace_id: string;
}

export interface ReactionDays {
  agent_id: string;
  campaign_id: string;
  counts: number[];
  day: string;
  part: number;
  version_id: string;
  workspace_id: string;
}

export interface ReactionSlots {
  agent_id: string;
  counts: number[];
  slot: Date;
  workspace_id: string;
}

export interface ReactionWeeks {
  agent_id: string;
  counts: number[];
  slot: Date;
  workspace_id: string;
}

export interface RecordingFiles {
  adding: JsonWithDefault<Record<string, string>>;
  attempt: number;
  bytes: number | null;
  call_id: string;
  created_at: Date;
  disk: string | null;
  due_at: Date;
  erasures: Generated<string[]>;
  last_error: string | null;
  path: string;
  place: Generated<'disk' | 'store'>;
  state: 'repair' | 'upload' | 'uploaded' | 'kept' | 'delete';
  taken_until: Date | null;
  tries: Generated<number>;
  workspace_id: string;
}

export interface RehearsalCalls {
  first_call: number;
  judged: Json<readonly object[]>;
  rehearsal_id: string;
  workspace_id: string;
}

export interface RehearsalLines {
  call: number;
  key: string;
  line: Json<object>;
  rehearsal_id: string;
  workspace_id: string;
}

export interface Rehearsals {
  against_id: string | null;
  against_spec: Json<object> | null;
  against_tag: string | null;
  agent_id: string;
  at_once: number | null;
  by_model: Generated<boolean>;
  calls: number;
  created_at: Date;
  currency: string | null;
  ended_at: Date | null;
  error: string | null;
  id: string;
  max_cost: number | null;
  mode: Generated<'text' | 'sound'>;
  played: Generated<number>;
  recogniser: string | null;
  result: Json<RehearsalResult> | null;
  scenarios: Json<readonly object[]>;
  seed: number;
  source_id: string | null;
  spec: Json<object>;
  spent: Generated<number>;
  started_at: Date | null;
  state: 'queued' | 'running' | 'ended' | 'cancelled' | 'error';
  stopped_by: 'max_cost' | 'credits' | 'no_model' | null;
  timing: string;
  version_id: string;
  version_tag: string;
  workspace_id: string;
}

export interface RehearsedConversations {
  call: number;
  conversation: Json<RehearsedCall>;
  conversation_before: Json<RehearsedCall> | null;
  rehearsal_id: string;
  workspace_id: string;
}

export interface ResultChanges {
  agent_id: string;
  at: Date | null;
  calls: number;
  campaign_id: string;
  day: string;
  id: Generated<number>;
  result: string;
  source: string;
  workspace_id: string;
}

export interface ResultDays {
  agent_id: string;
  calls: number;
  campaign_id: string;
  day: string;
  result: string;
  source: string;
  workspace_id: string;
}

export interface Scorecards {
  agent_id: string;
  created_at: Date;
  criteria: Json<JsonObject>;
  percent: number;
  version: number;
  with_findings: boolean;
  workspace_id: string;
}

export interface Sessions {
  address: string;
  created_at: Date;
  expires_at: Date;
  id: string;
  seen_at: Date;
  token_hash: string;
  user_agent: string;
  user_id: string;
}

export interface StorageUse {
  call_records: Generated<number>;
  chats: Generated<number>;
  counted_at: Date | null;
  due_at: Date;
  full_kinds: Generated<string[]>;
  quotas: JsonWithDefault<JsonObject>;
  recordings: Generated<number>;
  tests: Generated<number>;
  workspace_id: string;
}

export interface StreamTokens {
  call_hash: Buffer;
  issued_at: Date;
  sealed_call: string | null;
  sealed_token: string;
  token_hash: Buffer;
  trunk_id: string;
}

export interface TakenInvites {
  invite_hash: Buffer;
  node_id: string;
  taken_at: Date;
}

export interface TalkJournal {
  at: Date;
  attempt: number;
  call_id: string;
  piece: string;
  seq: number;
  workspace_id: string;
}

export interface TombstoneQueue {
  at: Date | null;
  campaign_id: string | null;
  kind: 'erased_number' | 'erased_call' | 'erased_chat' | 'opted_out' | 'opted_in' | 'revoked_key' | 'removed_member' | 'member_role';
  role: string | null;
  seq: Generated<number>;
  subject: string;
  workspace_id: string;
}

export interface TransferLegs {
  answered_at: Date | null;
  attempt: number;
  by_refer: Generated<boolean>;
  call_id: string;
  ended_at: Date | null;
  leg: Generated<number>;
  reserved: Generated<number>;
  started_at: Date;
  trunk_id: string;
  workspace_id: string;
}

export interface TrunkRegistrations {
  ends_at: Date;
  node_id: string;
  trunk_id: string;
}

export interface Trunks {
  claims: Generated<number>;
  created_at: Date;
  from_file: Generated<boolean>;
  id: string;
  inbound_at: Date | null;
  inbound_tokens: number | null;
  name: string;
  pace_at: Date | null;
  pace_tokens: number | null;
  paused_until: Date | null;
  settings: Json<JsonObject>;
  updated_at: Date;
}

export interface UsageHours {
  charged: number;
  hour: Date;
  starts: number;
  workspace_id: string;
}

export interface Users {
  created_at: Date;
  email: string;
  id: string;
  is_operator: Generated<boolean>;
  password_hash: string;
  recovery_codes: Generated<string[]>;
  totp_enabled: Generated<boolean>;
  totp_secret: string | null;
  totp_step: Generated<number>;
}

export interface WebCallTokens {
  agent_id: string;
  args: JsonWithDefault<Record<string, string>>;
  by_stranger: Generated<boolean>;
  call_id: string;
  created_at: Date;
  expires_at: Date;
  max_ms: number | null;
  media_type: 'audio' | 'text';
  origin: string | null;
  token_hash: string;
  used_at: Date | null;
  version_id: string;
  workspace_id: string;
}

export interface WebChats {
  agent_id: string;
  args: JsonWithDefault<Record<string, string>>;
  chat_id: string;
  connected_at: Date | null;
  created_at: Date;
  expires_at: Date;
  next_hash: string | null;
  origin: string | null;
  token_hash: string | null;
  version_id: string;
  workspace_id: string;
}

export interface WebhookOutages {
  checked_at: Date;
  disabled_at: Date | null;
  dropped: Generated<number>;
  failing_from: Date;
  head_id: string | null;
  id: string;
  is_back: Generated<boolean>;
  last_failed_at: Date;
  method: string;
  probe_at: Date | null;
  probes: Generated<number>;
  recovers: boolean;
  refusals: Generated<number>;
  since: Date;
  target: string;
  target_key: string;
  url: string;
  workspace_id: string;
}

export interface WebhookSecrets {
  created_at: Date;
  id: string;
  retires_at: Date | null;
  secret: string;
  workspace_id: string;
}

export interface WhatsappNumbers {
  access_token: string;
  agent_id: string;
  app_secret: string;
  business_account_id: string | null;
  created_at: Date;
  display_name: Generated<string>;
  id: string;
  last_error: string | null;
  number: string;
  paused_until: HintTime;
  phone_number_id: string;
  updated_at: Date;
  verify_token: string;
  workspace_id: string;
}

export interface WorkspaceProviders {
  from_file: Generated<string[]>;
  settings: Json<Wire<ProviderSettings>>;
  updated_at: Date;
  workspace_id: string;
}

export interface Workspaces {
  archived_at: Date | null;
  call_limit: Generated<number | null>;
  charged_total: Generated<number>;
  created_at: Date;
  credits: Generated<number>;
  id: string;
  locked_credits: Generated<number>;
  name: string;
  next_due_at: HintTime;
  own_served_at: HintTime;
  parent_id: string | null;
  served_at: HintTime;
  settings: JsonWithDefault<JsonObject>;
  spent_day: string | null;
  spent_today: Generated<number>;
  starts_total: Generated<number>;
  stranger_locked: Generated<number>;
  stranger_spent: Generated<number>;
  turns_day: string | null;
  turns_today: Generated<number>;
  unlimited: Generated<boolean>;
  updated_at: Date;
}

export interface WorkspaceVoices {
  description: string;
  gender: string;
  languages: string[];
  name: string;
  voice_id: string;
  voice_key: string;
  workspace_id: string;
}

export interface ZoneMoves {
  begun_at: Date;
  percent: Generated<number>;
  workspace_id: string;
  zone: string;
}

export interface DB {
  account_log: AccountLog;
  agent_test_cases: AgentTestCases;
  agent_test_results: AgentTestResults;
  agent_test_runs: AgentTestRuns;
  agent_versions: AgentVersions;
  agents: Agents;
  api_keys: ApiKeys;
  api_request_floors: ApiRequestFloors;
  api_requests: ApiRequests;
  attempt_days: AttemptDays;
  attempt_quarters: AttemptQuarters;
  attempt_slots: AttemptSlots;
  attempt_weeks: AttemptWeeks;
  audit_log: AuditLog;
  call_attempts: CallAttempts;
  call_beginnings: CallBeginnings;
  call_begun: CallBegun;
  call_checks: CallChecks;
  call_days: CallDays;
  call_endings: CallEndings;
  call_findings: CallFindings;
  call_follow_ups: CallFollowUps;
  call_listeners: CallListeners;
  call_records: CallRecords;
  call_totals: CallTotals;
  calls: Calls;
  campaign_do_not_call: CampaignDoNotCall;
  campaign_messages: CampaignMessages;
  campaign_numbers: CampaignNumbers;
  campaign_upload_pieces: CampaignUploadPieces;
  campaign_uploads: CampaignUploads;
  campaigns: Campaigns;
  cap_notices: CapNotices;
  cap_starts: CapStarts;
  chat_messages: ChatMessages;
  chats: Chats;
  contact_marks: ContactMarks;
  credit_transfers: CreditTransfers;
  deliveries: Deliveries;
  delivery_queue: DeliveryQueue;
  do_not_call: DoNotCall;
  ended_attempts: EndedAttempts;
  erasures: Erasures;
  events: Events;
  given_up_deliveries: GivenUpDeliveries;
  hangup_requests: HangupRequests;
  held_counts: HeldCounts;
  history_exports: HistoryExports;
  holds: Holds;
  idempotency_keys: IdempotencyKeys;
  installation: Installation;
  invitations: Invitations;
  jobs: Jobs;
  knowledge_bases: KnowledgeBases;
  knowledge_chunks: KnowledgeChunks;
  knowledge_sources: KnowledgeSources;
  knowledge_vectors: KnowledgeVectors;
  ledger: Ledger;
  limit_counts: LimitCounts;
  link_keys: LinkKeys;
  memberships: Memberships;
  migrations: Migrations;
  nodes: Nodes;
  number_pools: NumberPools;
  numbers: Numbers;
  opted_out: OptedOut;
  opted_out_key: OptedOutKey;
  password_links: PasswordLinks;
  provisioned_secrets: ProvisionedSecrets;
  quality_alerts: QualityAlerts;
  reaction_days: ReactionDays;
  reaction_slots: ReactionSlots;
  reaction_weeks: ReactionWeeks;
  recording_files: RecordingFiles;
  rehearsal_calls: RehearsalCalls;
  rehearsal_lines: RehearsalLines;
  rehearsals: Rehearsals;
  rehearsed_conversations: RehearsedConversations;
  result_changes: ResultChanges;
  result_days: ResultDays;
  scorecards: Scorecards;
  sessions: Sessions;
  storage_use: StorageUse;
  stream_tokens: StreamTokens;
  taken_invites: TakenInvites;
  talk_journal: TalkJournal;
  tombstone_queue: TombstoneQueue;
  transfer_legs: TransferLegs;
  trunk_registrations: TrunkRegistrations;
  trunks: Trunks;
  usage_hours: UsageHours;
  users: Users;
  web_call_tokens: WebCallTokens;
  web_chats: WebChats;
  webhook_outages: WebhookOutages;
  webhook_secrets: WebhookSecrets;
  whatsapp_numbers: WhatsappNumbers;
  workspace_providers: WorkspaceProviders;
  workspace_voices: WorkspaceVoices;
  workspaces: Workspaces;
  zone_moves: ZoneMoves;
}
