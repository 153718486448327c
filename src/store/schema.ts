import type {
  AttemptQuarterTable,
  CallTable,
  CallAttemptTable,
  CallRecordTable,
  RecordingFileTable,
  ErasureTable,
  AuditLogTable,
  HangupRequestTable,
  LedgerTable,
  DoNotCallTable,
  HistoryExportTable,
  CallDayTable,
  CallBeginningTable,
  CallBegunTable,
  CallEndingTable,
  CallTotalTable,
  TalkJournalTable,
  TransferLegTable,
} from './tables/calls.ts';
import type {
  CampaignTable,
  CampaignMessageTable,
  CampaignNumberTable,
  CampaignDoNotCallTable,
  CampaignUploadTable,
  CampaignUploadPieceTable,
} from './tables/campaigns.ts';
import type { ChatTable, ChatMessageTable } from './tables/chats.ts';
import type { EventTable, DeliveryTable, DeliveryQueueTable, WebhookSecretTable } from './tables/events.ts';
import type {
  KnowledgeBaseTable,
  KnowledgeSourceTable,
  KnowledgeChunkTable,
  KnowledgeVectorTable,
} from './tables/knowledge.ts';
import type { AgentTestCaseTable, AgentTestRunTable, AgentTestResultTable } from './tables/test-cases.ts';
import type {
  WorkspaceTable,
  WorkspaceProvidersTable,
  WorkspaceVoicesTable,
  UserTable,
  MembershipTable,
  SessionTable,
  InvitationTable,
  ApiKeyTable,
  TrunkTable,
  NumberTable,
  NumberPoolTable,
  CreditTransferTable,
  AgentTable,
  AgentVersionTable,
  NodeTable,
  IdempotencyKeyTable,
  InstallationTable,
  LinkKeyTable,
  JobTable,
  ApiRequestTable,
} from './tables/tenants.ts';

export type { JsonObject } from './tables/types.ts';
export type { CallStatus, CallType, CampaignState, AgentType } from './tables/types.ts';
export type { ChatChannel, ChatRole, ChatState, SendState } from './tables/chats.ts';
export type { Role } from './tables/tenants.ts';
export type { TestState } from './tables/test-cases.ts';

/**
 * The types of the tables that `migrations/` define. bigint is a safe integer, timestamptz a Date; jsonb is written as
 * JSON text and read as a value.
 */
export interface Schema {
  workspaces: WorkspaceTable;
  workspace_providers: WorkspaceProvidersTable;
  workspace_voices: WorkspaceVoicesTable;
  users: UserTable;
  memberships: MembershipTable;
  sessions: SessionTable;
  invitations: InvitationTable;
  api_keys: ApiKeyTable;
  trunks: TrunkTable;
  numbers: NumberTable;
  agents: AgentTable;
  agent_versions: AgentVersionTable;
  agent_test_cases: AgentTestCaseTable;
  agent_test_runs: AgentTestRunTable;
  agent_test_results: AgentTestResultTable;
  calls: CallTable;
  call_attempts: CallAttemptTable;
  call_records: CallRecordTable;
  transfer_legs: TransferLegTable;
  talk_journal: TalkJournalTable;
  hangup_requests: HangupRequestTable;
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
  link_keys: LinkKeyTable;
  knowledge_bases: KnowledgeBaseTable;
  knowledge_sources: KnowledgeSourceTable;
  knowledge_chunks: KnowledgeChunkTable;
  knowledge_vectors: KnowledgeVectorTable;
  call_days: CallDayTable;
  call_endings: CallEndingTable;
  call_totals: CallTotalTable;
  call_begun: CallBegunTable;
  call_beginnings: CallBeginningTable;
  attempt_quarters: AttemptQuarterTable;
  campaigns: CampaignTable;
  campaign_messages: CampaignMessageTable;
  campaign_numbers: CampaignNumberTable;
  campaign_do_not_call: CampaignDoNotCallTable;
  campaign_uploads: CampaignUploadTable;
  campaign_upload_pieces: CampaignUploadPieceTable;
  recording_files: RecordingFileTable;
  erasures: ErasureTable;
  audit_log: AuditLogTable;
  api_requests: ApiRequestTable;
  chats: ChatTable;
  chat_messages: ChatMessageTable;
}
