-- Calls whose person needed a person, and that somebody marked as done. Cost: catalogue alone.
create table call_follow_ups (
  workspace_id uuid not null references workspaces (id),
  call_id uuid not null,
  -- The member or key that marked it first.
  done_by text not null,
  done_at timestamptz not null,
  primary key (workspace_id, call_id)
);
create index call_follow_ups_by_time on call_follow_ups (workspace_id, done_at);
