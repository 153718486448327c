-- A child without a limit of its own (null) shares the concurrency that its parent has left. Existing children keep theirs.
alter table workspaces alter column call_limit drop not null;
-- Dial limits of the parent hold for its children, where they have none of their own.
update workspaces c set settings = (
    select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(p.settings)
    where key in ('limits', 'allow_premium_numbers', 'large_campaigns', 'circuit_breaker')) || c.settings
from workspaces p where p.id = c.parent_id;
