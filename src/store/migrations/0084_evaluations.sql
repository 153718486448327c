-- How the conversation met each criterion of its agent: [{name, result, reason}]; null: the agent has none, or the analysis
-- has not run. Kept, erased and deleted with the transcript.
alter table call_records add column evaluations jsonb;
alter table chats add column evaluations jsonb;
create index call_records_evaluated on call_records (workspace_id, call_id) where evaluations is not null;

create or replace function keep_erased() returns trigger language plpgsql as $$
begin
  new.transcript := null;
  new.tool_log := null;
  new.platform_analysis := null;
  new.client_analysis := null;
  new.evaluations := null;
  new.recording_path := null;
  new.recording_ms := null;
  new.recording_bytes := null;
  new.recording_state := null;
  new.event_log := null;
  new.erased_at := coalesce(old.erased_at, new.erased_at);
  return new;
end $$;
