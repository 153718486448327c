-- Ended calls of a day by kind and state alone: few rows where call_days has thousands, for the length of a history.
-- A row of call_days that grows takes its total with it, whoever folds: processes of the version before as well.
create table call_totals (
  workspace_id uuid not null,
  day date not null,
  call_type text not null,
  status text not null,
  calls int not null,
  primary key (workspace_id, day, call_type, status)
) with (fillfactor = 70);

create function note_call_days() returns trigger language plpgsql as $$
begin
  insert into call_totals (workspace_id, day, call_type, status, calls)
  values (new.workspace_id, new.day, new.call_type, new.status, new.calls - coalesce(old.calls, 0))
  on conflict (workspace_id, day, call_type, status) do update set calls = call_totals.calls + excluded.calls;
  return null;
end $$;
create trigger call_days_total after insert or update of calls on call_days for each row
  execute function note_call_days();

insert into call_totals
select workspace_id, day, call_type, status, sum(calls) from call_days group by 1, 2, 3, 4;

-- How many calls there are, by the day and kind they began with: a history's length must not be counted out of a queue
-- of a million. A call that is placed or comes in leaves a row in call_beginnings, folded into call_begun as call_endings
-- are into call_days; a contact list leaves one for all of its contacts, when its campaign gets them.
create table call_begun (
  workspace_id uuid not null,
  day date not null,
  call_type text not null,
  calls int not null,
  primary key (workspace_id, day, call_type)
) with (fillfactor = 70);
create table call_beginnings (
  workspace_id uuid not null,
  id bigint generated always as identity,
  day date not null,
  call_type text not null,
  calls int not null,
  primary key (workspace_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

create function note_call_beginning() returns trigger language plpgsql as $$
begin
  insert into call_beginnings (workspace_id, day, call_type, calls)
  values (new.workspace_id, (new.created_at at time zone 'UTC')::date, new.call_type, 1);
  return null;
end $$;
create trigger calls_begin after insert on calls for each row when (new.contact_row is null)
  execute function note_call_beginning();

create function note_contacts() returns trigger language plpgsql as $$
begin
  insert into call_beginnings (workspace_id, day, call_type, calls)
  select new.workspace_id, (created_at at time zone 'UTC')::date, call_type, new.successful_rows - old.successful_rows
  from calls where workspace_id = new.workspace_id and lane_id = new.id and contact_row is not null limit 1;
  return null;
end $$;
create trigger campaigns_contacts after update of successful_rows on campaigns for each row
  when (new.state = 'draft' and new.successful_rows > old.successful_rows) execute function note_contacts();

insert into call_begun
select workspace_id, (created_at at time zone 'UTC')::date, call_type, count(*) from calls group by 1, 2, 3;
