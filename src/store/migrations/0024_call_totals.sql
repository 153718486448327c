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
