-- Test cases of agents: what a caller says and what the agent must do; and their runs.

create table agent_test_cases (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  agent_id uuid not null,
  name text not null,
  -- Lines, variables, expectations and answers of tools; see src/domain/test-cases/test-case.ts.
  definition jsonb not null,
  -- The call or chat that it was saved from. Erasing that deletes the case and its results.
  source_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);
create index agent_test_cases_listed on agent_test_cases (workspace_id, agent_id, created_at, id);
create index agent_test_cases_source on agent_test_cases (workspace_id, source_id) where source_id is not null;

create table agent_test_runs (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  agent_id uuid not null,
  version_id uuid not null,
  -- Tools without an answer in the case are really called.
  runs_tools boolean not null,
  created_at timestamptz not null,
  primary key (workspace_id, id)
);
create index agent_test_runs_listed on agent_test_runs (workspace_id, agent_id, created_at desc, id desc);

create table agent_test_results (
  workspace_id uuid not null,
  run_id uuid not null,
  case_id uuid not null,
  version_id uuid not null,
  position int not null,
  -- The case as it was when the run began.
  definition jsonb not null,
  state text not null check (state in ('queued', 'running', 'passed', 'failed', 'not_judged', 'error')),
  -- The conversation, and a verdict for each expectation.
  turns jsonb not null default '[]',
  verdicts jsonb not null default '[]',
  end_reason text,
  error text,
  -- When the version was last changed before it was tested.
  version_changed_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  updated_at timestamptz not null,
  primary key (workspace_id, run_id, case_id),
  foreign key (workspace_id, run_id) references agent_test_runs (workspace_id, id) on delete cascade
);
create index agent_test_results_of_case on agent_test_results (workspace_id, case_id, version_id, ended_at desc);
create index agent_test_results_open on agent_test_results (workspace_id) where state in ('queued', 'running');
create index agent_test_results_changed on agent_test_results (workspace_id, updated_at desc);
