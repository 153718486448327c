-- Stretches of a recording that were left silent: a list of {fromMs, toMs}; null: written by an earlier version.
alter table call_records add column recording_pauses jsonb;
