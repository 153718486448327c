-- The agents that had a conversation after it was handed over, with time and cost of each; null: one agent had all of it.
alter table call_records add column agents jsonb;
