-- Rules over the checked calls of a workspace or of one of its agents, and whether each one's alert is raised.
create table quality_alerts (
  workspace_id uuid not null references workspaces (id),
  name text not null,
  -- The order in which the API lists them.
  place int not null,
  -- Null: every agent of the workspace.
  agent_id uuid,
  measure text not null,
  -- Of a share of findings; null: any detector.
  detector text,
  -- Points of a score, or percent of calls.
  threshold int not null,
  margin int not null,
  minimum_calls int not null,
  window_hours int not null,
  -- Null: the alert is not raised.
  raised_at timestamptz,
  -- When the window was measured last, over how many calls and with which value; null: not yet, or no calls.
  measured_at timestamptz,
  measured_calls int,
  measured_value real,
  primary key (workspace_id, name)
);
create index quality_alerts_due on quality_alerts (measured_at nulls first);
