-- Why an attempt failed, as a code of shared/failure-reason; null: it did not fail, or an earlier version stored it.
alter table call_attempts add column failure_code text;
