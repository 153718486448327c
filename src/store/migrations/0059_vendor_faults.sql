-- What went wrong at vendors during each call, by part of the call, and what followed; null: written by an earlier version.
alter table call_records add column vendor_faults jsonb;
