-- Bytes that a workspace stores, by kind, as of the last count. A background job counts; no call or request waits for it.
create table storage_use (
  workspace_id uuid primary key references workspaces (id),
  -- When the next count is due; while a process counts, the end of its lease.
  due_at timestamptz not null,
  counted_at timestamptz,
  recordings bigint not null default 0,
  call_records bigint not null default 0,
  chats bigint not null default 0,
  tests bigint not null default 0,
  -- The quotas in MB at the time of the count; a kind without a quota is absent.
  quotas jsonb not null default '{}',
  -- The kinds that had reached their quota.
  full_kinds text[] not null default '{}'
);
create index storage_use_due on storage_use (due_at);
create index storage_use_full on storage_use (workspace_id) where full_kinds <> '{}';

-- The size of the WAV file. Null: an earlier version wrote the row, or the file waits for its repair; the call's record has the size.
alter table recording_files add column bytes bigint;
