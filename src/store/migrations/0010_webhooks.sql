-- What signs a workspace's deliveries, sealed with the installation's key. The one without retires_at is current; a
-- retiring one signs beside it until then. A secret that was the installation's is still plain: it is sealed when it
-- is first used.
create table webhook_secrets (
  workspace_id uuid not null,
  id uuid not null,
  secret text not null,
  created_at timestamptz not null,
  retires_at timestamptz,
  primary key (workspace_id, id)
);
create unique index webhook_secrets_current on webhook_secrets (workspace_id) where retires_at is null;

insert into webhook_secrets (workspace_id, id, secret, created_at)
select w.id, gen_random_uuid(), i.value, i.created_at from workspaces w cross join installation i
where i.key = 'webhook_secret';
delete from installation where key = 'webhook_secret';

alter table deliveries
  -- What the log is filtered by, beside the event itself.
  add column event_type text,
  add column is_test boolean not null default false,
  -- How often it was sent again on request, each time with four attempts of its own.
  add column resends smallint not null default 0;
update deliveries d set event_type = e.event_type
from events e where e.workspace_id = d.workspace_id and e.id = d.event_id;
alter table deliveries alter column event_type set not null;

-- A receiver is a host as one workspace uses it. Its due deliveries are read without passing over those of others.
drop index deliveries_due;
create index deliveries_due_of_receiver on deliveries (workspace_id, host, due_at) where state = 'due';
create index deliveries_listed on deliveries (workspace_id, created_at desc, id desc);
alter table deliveries set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
