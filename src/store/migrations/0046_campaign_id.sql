-- The column that names a call's campaign is called campaign_id everywhere. Processes of an earlier version cannot run
-- beside this schema: stop all of them before the upgrade. Renames change the catalogue only, however large the tables.
alter table calls rename column lane_id to campaign_id;
alter table calls rename column origin_lane_id to origin_campaign_id;
alter table call_attempts rename column lane_id to campaign_id;
alter table deliveries rename column lane_id to campaign_id;
alter table delivery_queue rename column lane_id to campaign_id;
alter table call_days rename column lane_id to campaign_id;
alter table call_endings rename column lane_id to campaign_id;

do $$
declare old record;
begin
  for old in select schemaname, indexname from pg_indexes
    where schemaname = current_schema() and indexname like '%\_of\_lane'
  loop
    execute format('alter index %I.%I rename to %I', old.schemaname, old.indexname,
      regexp_replace(old.indexname, '_of_lane$', '_of_campaign'));
  end loop;
end $$;

-- Function bodies name columns as text, so a renamed column does not follow into them.
create or replace function note_call_ending() returns trigger language plpgsql as $$
begin
  insert into call_endings (workspace_id, day, agent_id, version_id, number_id, campaign_id, call_type, status,
    sub_status, duration_bucket, attempts, duration_ms, cost)
  values (new.workspace_id, (new.created_at at time zone 'UTC')::date, new.agent_id, new.version_id,
    coalesce(new.number_id, '00000000-0000-0000-0000-000000000000'),
    coalesce(new.campaign_id, '00000000-0000-0000-0000-000000000000'),
    new.call_type, new.status, new.sub_status, ending_bucket(new.duration_ms), new.attempt,
    coalesce(new.duration_ms, 0), new.cost);
  return null;
end $$;

create or replace function note_contacts() returns trigger language plpgsql as $$
begin
  insert into call_beginnings (workspace_id, day, call_type, calls)
  select new.workspace_id, (created_at at time zone 'UTC')::date, call_type, new.successful_rows - old.successful_rows
  from calls where workspace_id = new.workspace_id and campaign_id = new.id and contact_row is not null limit 1;
  return null;
end $$;
