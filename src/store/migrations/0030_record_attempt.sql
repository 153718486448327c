-- The attempt whose conversation a record holds: what was said is timed from its answer, whatever came after it.
alter table call_records add column attempt smallint;
update call_records r set attempt = (
  select max(t.attempt) from call_attempts t
  where t.workspace_id = r.workspace_id and t.call_id = r.call_id and t.answered_at is not null)
where r.transcript is not null or r.recording_path is not null;
