-- Money is whole micro-credits (1 credit = 1,000,000). Times come from the application's clock, so that windows,
-- leases and retries follow one clock; defaults with now() are only for rows nobody schedules by.
-- workspace_id leads every key of a tenant's table: the schema distributes by workspace unchanged.

create table workspaces (
  id uuid primary key,
  parent_id uuid references workspaces (id),
  name text not null,
  credits bigint not null default 0,
  locked_credits bigint not null default 0 check (locked_credits >= 0),
  unlimited boolean not null default false,
  call_limit int not null default 10 check (call_limit >= 0),
  settings jsonb not null default '{}',
  -- Scheduling hint: no due call of this workspace is earlier. May be too early, never too late.
  next_due_at timestamptz not null default 'infinity',
  served_at timestamptz not null default 'epoch',
  created_at timestamptz not null,
  updated_at timestamptz not null
) with (fillfactor = 50);
create index workspaces_due on workspaces (served_at) where next_due_at < 'infinity';
create unique index workspaces_root_name on workspaces (name) where parent_id is null;

create table users (
  id uuid primary key,
  email text not null,
  password_hash text not null,
  created_at timestamptz not null
);
create unique index users_email on users (lower(email));

create table memberships (
  workspace_id uuid not null references workspaces (id),
  user_id uuid not null references users (id),
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  created_at timestamptz not null,
  primary key (workspace_id, user_id)
);

-- Only the hash of a key is kept; prefix and last four are what the dashboard shows.
create table api_keys (
  workspace_id uuid primary key references workspaces (id),
  key_hash text not null unique,
  shown_prefix text not null,
  shown_last4 text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);

create table trunks (
  id uuid primary key,
  name text not null unique,
  -- {uri, username, password, register, max_calls, calls_per_second, transport, kind: sip|test}
  settings jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table numbers (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  number text not null,
  trunk_id uuid references trunks (id),
  display_name text not null default '',
  provider text not null default 'sip',
  is_test_number boolean not null default false,
  is_spam boolean not null default false,
  inbound_agent_id uuid,
  call_limit int,
  number_pool_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);
-- An inbound call finds its workspace by the number and the trunk it came in on.
create unique index numbers_inbound on numbers (number, trunk_id);
create index numbers_of_trunk on numbers (trunk_id);

create table agents (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  display_name text not null,
  agent_type text not null check (agent_type in ('inbound', 'outbound', 'outbound_inbound')),
  active_version_id uuid not null,
  webcall_public_key text not null unique,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (workspace_id, id)
);
create index agents_listed on agents (workspace_id, created_at desc, id desc) where archived_at is null;

create table agent_versions (
  workspace_id uuid not null,
  agent_id uuid not null,
  id uuid not null,
  slug text not null,
  description text not null default '',
  call_traffic int not null default 100,
  -- The whole versioned configuration, see domain/agents/agent-version.ts.
  config jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, agent_id) references agents (workspace_id, id)
);
create index agent_versions_of on agent_versions (workspace_id, agent_id, created_at);

create table calls (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  lane_id uuid,
  agent_id uuid not null,
  version_id uuid not null,
  number_id uuid,
  call_type text not null check (call_type in ('outbound', 'inbound', 'webcall')),
  from_number text not null,
  to_number text not null,
  callee_name text not null default '',
  args jsonb not null default '{}',
  -- Call-level call_time and call_retry_config as sent; null: the agent's.
  call_config jsonb,
  callback jsonb,
  status text not null
    check (status in ('registered', 'ongoing', 'retry', 'completed', 'failed', 'error', 'cancelled')),
  sub_status text not null,
  attempt smallint not null default 0,
  retries_used smallint not null default 0,
  next_attempt_at timestamptz,
  node_id uuid,
  -- Micro-credits held for the live attempt, and charged so far.
  reserved bigint not null default 0 check (reserved >= 0),
  cost bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  dialed_at timestamptz,
  answered_at timestamptz,
  ended_at timestamptz,
  duration_ms int,
  hangup_by text,
  primary key (workspace_id, id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
-- The queue is read number by number: a number at its limit holds back only its own calls.
create index calls_due on calls (workspace_id, number_id, next_attempt_at)
  where status in ('registered', 'retry');
create index calls_queued_to on calls (workspace_id, to_number) where status in ('registered', 'retry');
create index calls_live on calls (workspace_id, number_id) where status = 'ongoing';
create index calls_of_node on calls (node_id) where status = 'ongoing';
create index calls_history on calls (workspace_id, created_at desc, id desc);
create index calls_of_lane on calls (workspace_id, lane_id, created_at desc) where lane_id is not null;

-- The journal: a row is committed before the attempt's INVITE may leave.
create table call_attempts (
  workspace_id uuid not null,
  call_id uuid not null,
  attempt smallint not null,
  node_id uuid not null,
  status text not null check (status in ('claimed', 'dialing', 'ringing', 'answered', 'ended')),
  sub_status text,
  claimed_at timestamptz not null,
  -- Set in its own commit right before the INVITE: with it the callee may have been rung.
  dialed_at timestamptz,
  ringing_at timestamptz,
  answered_at timestamptz,
  ended_at timestamptz,
  sip_call_id text,
  sip_code int,
  reason text,
  duration_ms int,
  cost bigint not null default 0,
  primary key (workspace_id, call_id, attempt)
);

-- Large and rarely read facts of a call; `calls` stays narrow because it is the queue.
create table call_records (
  workspace_id uuid not null,
  call_id uuid not null,
  transcript jsonb,
  latency jsonb,
  tool_log jsonb,
  media jsonb,
  interruptions int,
  first_utterance_ms int,
  recording_path text,
  recording_ms int,
  recording_bytes bigint,
  recording_state text check (recording_state in ('stored', 'partial', 'failed')),
  platform_analysis jsonb,
  client_analysis jsonb,
  updated_at timestamptz not null,
  primary key (workspace_id, call_id)
);

-- One row per movement; (call, attempt, kind) makes settling idempotent.
create table ledger (
  workspace_id uuid not null,
  call_id uuid not null,
  attempt smallint not null,
  kind text not null check (kind in ('lock', 'charge')),
  amount bigint not null,
  at timestamptz not null,
  primary key (workspace_id, call_id, attempt, kind)
);

-- Every event once; deliveries of one event go to one target each. seq orders the events of a call.
create table events (
  workspace_id uuid not null,
  id uuid not null,
  call_id uuid not null,
  seq bigint generated always as identity,
  dedup text not null,
  event_type text not null,
  body jsonb not null,
  occurred_at timestamptz not null,
  primary key (workspace_id, id),
  unique (workspace_id, call_id, dedup)
);

create table deliveries (
  workspace_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  call_id uuid not null,
  event_seq bigint not null,
  target text not null,
  -- Host of url: deliveries to one host share its limit of parallel requests.
  host text not null,
  url text not null,
  method text not null,
  headers jsonb not null,
  state text not null check (state in ('due', 'delivered', 'dead')),
  attempt smallint not null default 0,
  due_at timestamptz not null,
  attempts jsonb not null default '[]',
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (workspace_id, id),
  unique (workspace_id, event_id, target)
) with (fillfactor = 70);
create index deliveries_due on deliveries (due_at) where state = 'due';
create index deliveries_of_call on deliveries (workspace_id, call_id, event_seq);

-- Background work that is not a delivery.
create table jobs (
  id uuid primary key,
  workspace_id uuid,
  kind text not null,
  dedup text not null,
  payload jsonb not null,
  state text not null check (state in ('due', 'done', 'dead')),
  attempt smallint not null default 0,
  due_at timestamptz not null,
  last_error text,
  created_at timestamptz not null,
  unique (kind, dedup)
) with (fillfactor = 70);
create index jobs_due on jobs (due_at) where state = 'due';

-- A process that may hold live calls. One row beats for all its calls. A fenced one is taken for dead: it may write
-- nothing more, and its calls are settled by others.
create table nodes (
  id uuid primary key,
  name text not null,
  roles text not null,
  beat_at timestamptz not null,
  started_at timestamptz not null,
  draining boolean not null default false,
  fenced_at timestamptz
);

create table idempotency_keys (
  workspace_id uuid not null,
  key text not null,
  route text not null,
  body_hash text not null,
  status int,
  response jsonb,
  created_at timestamptz not null,
  primary key (workspace_id, route, key)
);

create table do_not_call (
  workspace_id uuid not null,
  number text not null,
  reason text not null,
  created_at timestamptz not null,
  primary key (workspace_id, number)
);

-- Signing secrets and other settings of the installation, generated once.
create table installation (
  key text primary key,
  value text not null,
  created_at timestamptz not null
);
