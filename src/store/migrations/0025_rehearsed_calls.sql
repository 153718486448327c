-- The call whose caller a rehearsal simulates, so that erasing the person deletes it; null: its scenarios are texts of the operator.
alter table rehearsals add column source_id uuid;
create index rehearsals_source on rehearsals (workspace_id, source_id) where source_id is not null;
