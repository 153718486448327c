-- What the caps of a workspace count, kept so that a workspace without caps pays nothing for them: no index on the rows
-- of attempts and of the ledger, which every call writes.

-- Calls that each claim started in the last minute; written only for workspaces with calls_per_minute.
create table cap_starts (
  workspace_id uuid not null references workspaces (id),
  at timestamptz not null,
  calls int not null,
  primary key (workspace_id, at)
);

-- Micro-credits charged on `spent_day` (UTC); the settlement updates this row for the balance anyway.
alter table workspaces add column spent_day date, add column spent_today bigint not null default 0;
