-- Day sums count by the day of the workspace's zone (`timezone` of its settings; absent: UTC), where they counted by UTC
-- day. Waiting rows carry the instant, and get their day when they are folded or read; `day` beside it is the UTC day, for
-- processes of an earlier version. No row is rewritten: every workspace is in UTC until its owner chooses a zone, and that
-- change moves its sums (src/store/analysis/move-days.ts). Cost: catalogue alone, whatever the tables hold.
alter table call_endings add column at timestamptz;
alter table call_beginnings add column at timestamptz;
alter table result_changes add column at timestamptz;

create or replace function note_call_ending() returns trigger language plpgsql as $$
begin
  insert into call_endings (workspace_id, at, day, agent_id, version_id, number_id, campaign_id, call_type, status,
    sub_status, duration_bucket, attempts, duration_ms, cost)
  values (new.workspace_id, new.created_at, (new.created_at at time zone 'UTC')::date, new.agent_id, new.version_id,
    coalesce(new.number_id, '00000000-0000-0000-0000-000000000000'),
    coalesce(new.campaign_id, '00000000-0000-0000-0000-000000000000'),
    new.call_type, new.status, new.sub_status, ending_bucket(new.duration_ms), new.attempt,
    coalesce(new.duration_ms, 0), new.cost);
  return null;
end $$;

create or replace function note_call_beginning() returns trigger language plpgsql as $$
begin
  insert into call_beginnings (workspace_id, at, day, call_type, calls)
  values (new.workspace_id, new.created_at, (new.created_at at time zone 'UTC')::date, new.call_type, 1);
  return null;
end $$;

create or replace function note_contacts() returns trigger language plpgsql as $$
begin
  insert into call_beginnings (workspace_id, at, day, call_type, calls)
  select new.workspace_id, created_at, (created_at at time zone 'UTC')::date, call_type,
    new.successful_rows - old.successful_rows
  from calls where workspace_id = new.workspace_id and campaign_id = new.id and contact_row is not null limit 1;
  return null;
end $$;

create or replace function note_call_result() returns trigger language plpgsql as $$
begin
  insert into result_changes (workspace_id, at, day, agent_id, campaign_id, result, source, calls)
  select new.workspace_id, new.created_at, (new.created_at at time zone 'UTC')::date, new.agent_id,
    coalesce(new.campaign_id, '00000000-0000-0000-0000-000000000000'), change.*
  from (values (old.result, old.result_source, -1), (new.result, new.result_source, 1)) change (result, source, calls)
  where change.result is not null;
  return null;
end $$;
