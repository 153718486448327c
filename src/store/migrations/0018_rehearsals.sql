-- A rehearsal: simulated callers call a version of an agent, in the background.
create table rehearsals (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  agent_id uuid not null,
  version_id uuid not null,
  -- The version that the same callers call as well; null: none.
  against_id uuid,
  -- Name the content of both versions when the rehearsal began: a version can be edited.
  version_tag text not null,
  against_tag text,
  seed int not null,
  calls int not null,
  timing text not null,
  scenarios jsonb not null,
  -- What calls froze of both versions when the rehearsal began, so that any call can be played again.
  spec jsonb not null,
  against_spec jsonb,
  state text not null check (state in ('queued', 'running', 'ended', 'cancelled', 'error')),
  played int not null default 0,
  -- Null until the last call was judged.
  result jsonb,
  error text,
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (workspace_id, id)
);
create index rehearsals_listed on rehearsals (workspace_id, agent_id, created_at desc, id desc);
create index rehearsals_ended on rehearsals (workspace_id, ended_at);

-- Judged calls of a rehearsal that goes on; its result replaces them.
create table rehearsal_calls (
  workspace_id uuid not null,
  rehearsal_id uuid not null,
  first_call int not null,
  judged jsonb not null,
  primary key (workspace_id, rehearsal_id, first_call),
  foreign key (workspace_id, rehearsal_id) references rehearsals (workspace_id, id) on delete cascade
);
