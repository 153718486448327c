-- Calls whose event logs the detectors have read.
create table call_checks (
  workspace_id uuid not null references workspaces (id),
  call_id uuid not null,
  agent_id uuid not null,
  version_id uuid not null,
  -- In UTC.
  day date not null,
  checked_at timestamptz not null,
  primary key (workspace_id, call_id)
);
create index call_checks_by_day on call_checks (workspace_id, agent_id, day);

-- What the detectors found: at most one of each detector in a call.
create table call_findings (
  workspace_id uuid not null references workspaces (id),
  call_id uuid not null,
  detector text not null,
  agent_id uuid not null,
  day date not null,
  -- Ms after the answer.
  at_ms int not null,
  -- Quotes the call; null: erased.
  detail text,
  -- Who marked it as a false alarm; null: nobody did.
  false_by text,
  false_at timestamptz,
  primary key (workspace_id, call_id, detector)
);
create index call_findings_by_day on call_findings (workspace_id, detector, day);
create index call_findings_by_agent on call_findings (workspace_id, agent_id, day);
