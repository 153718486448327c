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

-- What is still to be delivered. Its rows come and go, so that those of the log are written to once per attempt and no
-- index of theirs with it. A lease is in no index either: taking one moves nothing.
create table delivery_queue (
  workspace_id uuid not null,
  -- The delivery's.
  id uuid not null,
  call_id uuid not null,
  lane_id uuid,
  event_seq bigint not null,
  target text not null,
  host text not null,
  is_resend boolean not null default false,
  attempt smallint not null default 0,
  due_at timestamptz not null,
  -- A sender has it until then; should it die, another takes it.
  leased_until timestamptz not null default '-infinity',
  primary key (workspace_id, id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
-- A receiver is a host as one workspace uses it. What is due to one is read without passing over what is due to others.
create index delivery_queue_of_receiver on delivery_queue (host, workspace_id, due_at);
create index delivery_queue_of_call on delivery_queue (call_id, event_seq);
create index delivery_queue_of_lane on delivery_queue (workspace_id, lane_id) where lane_id is not null;

insert into delivery_queue (workspace_id, id, call_id, lane_id, event_seq, target, host, attempt, due_at)
select workspace_id, id, call_id, lane_id, event_seq, target, host, attempt, due_at from deliveries where state = 'due';

drop index deliveries_due;
drop index deliveries_due_of_lane;
-- An address may be longer than an index entry. That an event is not told twice is seen to where it is written.
alter table deliveries drop constraint deliveries_workspace_id_event_id_target_key;
create index deliveries_listed on deliveries (workspace_id, created_at desc, id desc);
