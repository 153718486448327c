-- Live calls that were asked to end in a process that does not carry them: the one that does looks here. An attempt
-- that is over takes no notice.
create table hangup_requests (
  workspace_id uuid not null,
  call_id uuid not null,
  attempt smallint not null,
  -- The process that carries the call.
  node_id uuid not null,
  requested_at timestamptz not null,
  primary key (workspace_id, call_id, attempt)
);
create index hangup_requests_of_node on hangup_requests (node_id);
