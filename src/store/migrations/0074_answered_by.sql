-- Who answered each call: kind, confidence, time of the decision and its reasons; null: not decided, or by an earlier version.
alter table call_records add column answered_by jsonb;
