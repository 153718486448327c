-- Every key of a tenant's table begins with its workspace, so that the table distributes by it. The key of a widget is
-- random and needs no index that says so.
alter table jobs
  drop constraint jobs_pkey,
  drop constraint jobs_kind_dedup_key,
  alter column workspace_id set not null,
  add primary key (workspace_id, id),
  add unique (workspace_id, kind, dedup);
alter table agents drop constraint agents_webcall_public_key_key;
create index agents_webcall_key on agents (webcall_public_key);
