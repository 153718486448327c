-- What was said and done so far in calls that are live, piece by piece in the shape of the record's own. An attempt's
-- pieces go with its settlement: into the record where nothing else is known of the conversation.
create table talk_journal (
  workspace_id uuid not null,
  call_id uuid not null,
  attempt smallint not null,
  seq int not null,
  -- JSON, read by the settlement alone.
  piece text not null,
  at timestamptz not null,
  primary key (workspace_id, call_id, attempt, seq)
);
-- The conversation was cut off: transcript, tool log and latencies are as far as the journal had them.
alter table call_records add column transcript_partial boolean not null default false;
