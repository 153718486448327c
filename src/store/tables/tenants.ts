import type { ColumnType } from 'kysely';
import type { NodeFigures } from '../../shared/node-figures.ts';
import type {
  HintTime,
  Json,
  JsonObject,
  JsonWithDefault,
  Nullable,
  NullableJson,
  WithDefault,
  AgentType,
} from './types.ts';

export interface WorkspaceTable {
  id: string;
  parent_id: Nullable<string>;
  name: string;
  credits: WithDefault<number>;
  locked_credits: WithDefault<number>;
  unlimited: WithDefault<boolean>;
  /** Null: a child that shares what its parent has left. */
  call_limit: WithDefault<number> | Nullable<number>;
  settings: JsonWithDefault<JsonObject>;
  next_due_at: HintTime;
  served_at: HintTime;
  created_at: Date;
  updated_at: Date;
  own_served_at: HintTime;
  /** A child that its parent archived. */
  archived_at: Nullable<Date>;
}

export interface UserTable {
  id: string;
  email: string;
  password_hash: string;
  created_at: Date;
  totp_secret: Nullable<string>;
  totp_enabled: WithDefault<boolean>;
  totp_step: WithDefault<number>;
  recovery_codes: WithDefault<string[]>;
}

/** A person's rights in a workspace and its child workspaces. */
export type Role = 'owner' | 'manager' | 'viewer';

export interface MembershipTable {
  workspace_id: string;
  user_id: string;
  role: Role;
  created_at: Date;
}

export interface SessionTable {
  id: string;
  user_id: string;
  token_hash: string;
  created_at: Date;
  seen_at: Date;
  expires_at: Date;
  address: string;
  user_agent: string;
}

export interface InvitationTable {
  id: string;
  workspace_id: string;
  email: string;
  role: Role;
  token_hash: string;
  invited_by: Nullable<string>;
  created_at: Date;
  expires_at: Date;
}

export interface ApiKeyTable {
  workspace_id: string;
  key_hash: string;
  shown_prefix: string;
  shown_last4: string;
  created_at: Date;
  last_used_at: Nullable<Date>;
}

export interface TrunkTable {
  id: string;
  name: string;
  settings: Json<JsonObject>;
  created_at: Date;
  updated_at: Date;
  pace_tokens: Nullable<number>;
  claims: WithDefault<number>;
  pace_at: Nullable<Date>;
  paused_until: Nullable<Date>;
}

export interface NumberTable {
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

export interface AgentTable {
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

export interface AgentVersionTable {
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

export interface JobTable {
  id: string;
  workspace_id: string;
  kind: string;
  dedup: string;
  payload: Json<JsonObject>;
  state: 'due' | 'done' | 'dead';
  attempt: WithDefault<number>;
  due_at: Date;
  last_error: Nullable<string>;
  created_at: Date;
}

export interface WorkspaceProvidersTable {
  workspace_id: string;
  settings: Json<JsonObject>;
  updated_at: Date;
}

export interface WorkspaceVoicesTable {
  workspace_id: string;
  voice_id: string;
  voice_key: string;
  name: string;
  gender: string;
  languages: string[];
  description: string;
}

export interface NodeTable {
  id: string;
  name: string;
  roles: string;
  beat_at: Date;
  started_at: Date;
  draining: WithDefault<boolean>;
  fenced_at: Nullable<Date>;
  figures: NullableJson<NodeFigures>;
}

export interface IdempotencyKeyTable {
  workspace_id: string;
  key: string;
  route: string;
  body_hash: string;
  status: Nullable<number>;
  response: ColumnType<unknown, string | null | undefined, string | null>;
  created_at: Date;
}

export interface NumberPoolTable {
  workspace_id: string;
  id: string;
  name: string;
  created_at: Date;
  updated_at: Date;
}

export interface CreditTransferTable {
  workspace_id: string;
  id: string;
  child_id: string;
  amount: number;
  at: Date;
}

export interface LinkKeyTable {
  id: number;
  secret: string;
  created_at: Date;
  retires_at: Nullable<Date>;
  signed_old_form: WithDefault<boolean>;
}

export interface InstallationTable {
  key: string;
  value: string;
  created_at: Date;
}

export interface ApiRequestTable {
  workspace_id: string;
  id: string;
  at: Date;
  method: string;
  path: string;
  status: number;
  duration_ms: number;
  request_id: string;
  key: string;
  content_type: Nullable<string>;
  body_bytes: Nullable<number>;
  body: Nullable<string>;
  is_cut: boolean;
  response: Nullable<string>;
}
