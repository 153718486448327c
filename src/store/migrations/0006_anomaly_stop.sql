-- Running counts of a workspace, in the updates that its row gets anyway: outbound attempts, and micro-credits charged.
alter table workspaces
  add column starts_total bigint not null default 0,
  add column charged_total bigint not null default 0;

-- The counts at the beginning of an hour of a workspace that is active, for eight days.
create table usage_hours (
  workspace_id uuid not null references workspaces (id),
  hour timestamptz not null,
  starts bigint not null,
  charged bigint not null,
  primary key (workspace_id, hour)
);
create index usage_hours_age on usage_hours (hour);
