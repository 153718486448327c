-- Since when a receiver has failed without a break, and since when it gets nothing because that was five days.
alter table webhook_outages add column failing_from timestamptz, add column disabled_at timestamptz;
update webhook_outages set failing_from = since;
alter table webhook_outages alter column failing_from set not null;
-- Few rows or none: each delivery that is taken looks here.
create index webhook_outages_disabled on webhook_outages (workspace_id, target_key) where disabled_at is not null;
