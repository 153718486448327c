-- The events of the conversation for its replay, compressed. It is kept, erased and deleted with the transcript.
alter table call_records add column event_log bytea;
alter table call_records alter column event_log set storage external;

create or replace function keep_erased() returns trigger language plpgsql as $$
begin
  new.transcript := null;
  new.tool_log := null;
  new.platform_analysis := null;
  new.client_analysis := null;
  new.recording_path := null;
  new.recording_ms := null;
  new.recording_bytes := null;
  new.recording_state := null;
  new.event_log := null;
  new.erased_at := coalesce(old.erased_at, new.erased_at);
  return new;
end $$;
