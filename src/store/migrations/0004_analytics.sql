-- Analytics read sums by day, never the calls themselves. An ending call leaves one row in call_endings, in the
-- transaction that ends it and whoever ends it; rows are folded into call_days by one transaction at a time per
-- workspace. Endings are only ever inserted, so no two calls that end wait for each other. What is counted is
-- call_days and call_endings together.
-- day is the UTC day of created_at, as history filters by it. nil stands for no number and no campaign, so that
-- they can be part of the key. duration_bucket: -1 not answered, else see ending_bucket.

create function ending_bucket(duration_ms int) returns smallint language sql immutable parallel safe as $$
  select case when duration_ms is null then -1
    else width_bucket(duration_ms, array[10000, 30000, 60000, 120000, 300000, 600000]) end::smallint
$$;

create table call_days (
  workspace_id uuid not null,
  day date not null,
  agent_id uuid not null,
  version_id uuid not null,
  number_id uuid not null,
  lane_id uuid not null,
  call_type text not null,
  status text not null,
  sub_status text not null,
  duration_bucket smallint not null,
  calls int not null,
  attempts int not null,
  duration_ms bigint not null,
  cost bigint not null,
  primary key (workspace_id, day, agent_id, version_id, number_id, lane_id, call_type, status, sub_status,
    duration_bucket)
) with (fillfactor = 70);
create index call_days_of_lane on call_days (workspace_id, lane_id, day)
  where lane_id <> '00000000-0000-0000-0000-000000000000';

create table call_endings (
  workspace_id uuid not null,
  id bigint generated always as identity,
  day date not null,
  agent_id uuid not null,
  version_id uuid not null,
  number_id uuid not null,
  lane_id uuid not null,
  call_type text not null,
  status text not null,
  sub_status text not null,
  duration_bucket smallint not null,
  attempts int not null,
  duration_ms bigint not null,
  cost bigint not null,
  primary key (workspace_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

create function note_call_ending() returns trigger language plpgsql as $$
begin
  insert into call_endings (workspace_id, day, agent_id, version_id, number_id, lane_id, call_type, status,
    sub_status, duration_bucket, attempts, duration_ms, cost)
  values (new.workspace_id, (new.created_at at time zone 'UTC')::date, new.agent_id, new.version_id,
    coalesce(new.number_id, '00000000-0000-0000-0000-000000000000'),
    coalesce(new.lane_id, '00000000-0000-0000-0000-000000000000'),
    new.call_type, new.status, new.sub_status, ending_bucket(new.duration_ms), new.attempt,
    coalesce(new.duration_ms, 0), new.cost);
  return null;
end $$;

create trigger calls_end after update of status on calls for each row
  when (new.status in ('completed', 'failed', 'error', 'cancelled') and old.status is distinct from new.status)
  execute function note_call_ending();
create trigger calls_begin_ended after insert on calls for each row
  when (new.status in ('completed', 'failed', 'error', 'cancelled'))
  execute function note_call_ending();

insert into call_days
select workspace_id, (created_at at time zone 'UTC')::date, agent_id, version_id,
  coalesce(number_id, '00000000-0000-0000-0000-000000000000'),
  coalesce(lane_id, '00000000-0000-0000-0000-000000000000'),
  call_type, status, sub_status, ending_bucket(duration_ms),
  count(*), sum(attempt), sum(coalesce(duration_ms, 0)), sum(cost)
from calls where status in ('completed', 'failed', 'error', 'cancelled')
group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;

-- Few calls have an analysis while it is being made; what was classified is found without the transcripts beside it.
create index call_records_classified on call_records (workspace_id, (platform_analysis ->> 'classification'), call_id)
  where platform_analysis is not null;
