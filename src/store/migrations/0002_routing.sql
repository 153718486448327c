-- Versions side by side, caller numbers in pools, calls with choices of their own, children of workspaces.

-- Set while an A/B test runs; versions with call_traffic above 0 are the ones calls are split between.
alter table agents add column ab_started_at timestamptz;

create table number_pools (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);
-- When a pool last chose the number: the least recently used one is next.
alter table numbers add column last_used_at timestamptz;
alter table numbers add constraint numbers_in_pool
  foreign key (workspace_id, number_pool_id) references number_pools (workspace_id, id);
create index numbers_of_pool on numbers (workspace_id, number_pool_id) where number_pool_id is not null;

alter table calls
  -- The voice of this call alone; null: its version's.
  add column voice_id uuid,
  add column category text,
  add column parent_call_id uuid,
  -- Terminated while it was live: it is not dialled again whatever its attempt comes to.
  add column no_retry boolean not null default false;
create index calls_of_agent on calls (workspace_id, agent_id, created_at desc, id desc);

create index workspaces_children on workspaces (parent_id, created_at) where parent_id is not null;
-- Credits moved from a parent to its child; a negative amount came back.
create table credit_transfers (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  child_id uuid not null references workspaces (id),
  amount bigint not null,
  at timestamptz not null,
  primary key (workspace_id, id)
);

-- A running export of a workspace's history, held by its beats: one that stopped beating may be taken over.
create table history_exports (
  workspace_id uuid not null references workspaces (id),
  filter_hash text not null,
  token uuid not null,
  beat_at timestamptz not null,
  primary key (workspace_id, filter_hash)
);
