-- What the calls of an agent are scored by. A change makes a new version; the newest one counts.
create table scorecards (
  workspace_id uuid not null references workspaces (id),
  agent_id uuid not null,
  version int not null,
  criteria jsonb not null,
  -- The share of checked calls that is scored, besides every one with a finding.
  percent int not null,
  with_findings boolean not null,
  created_at timestamptz not null,
  primary key (workspace_id, agent_id, version)
);

alter table call_checks
  -- Of the scorecard; null: the call was not scored.
  add column scorecard_version int,
  -- 0 to 100; null: no criterion could be judged.
  add column score real,
  -- Criteria with their results and reasons.
  add column verdicts jsonb;
