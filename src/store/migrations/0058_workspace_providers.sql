-- The speech and language model vendors of a workspace: chains, addresses, models and sealed keys. A workspace without a
-- row uses those of the installation. A table of its own: claims lock the workspace's row.
create table workspace_providers (
  workspace_id uuid primary key references workspaces (id),
  settings jsonb not null,
  updated_at timestamptz not null
);
