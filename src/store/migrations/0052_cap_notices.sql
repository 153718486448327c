-- The last window in which each cap of a workspace was reached: one notice per cap and window, whatever process sees it.
create table cap_notices (
  workspace_id uuid not null references workspaces (id),
  cap text not null,
  at timestamptz not null,
  primary key (workspace_id, cap)
);
