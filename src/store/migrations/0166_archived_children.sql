-- When the parent archived a child workspace; null: it works. Its calls, key and sessions are refused while it is archived.
alter table workspaces add column archived_at timestamptz;
