-- The campaign in whose call a callback was asked for: it stands, waits and falls with it, though it is an individual
-- call. Few waiting calls have one, and only those are looked for by it.
alter table calls add column origin_lane_id uuid;
create index calls_of_origin on calls (workspace_id, origin_lane_id)
  where origin_lane_id is not null and status in ('registered', 'retry');

-- When the person wants to be called again, written while they talk: a process that dies cannot tell of it.
alter table call_attempts add column callback_at timestamptz;
