-- What the dialer keeps between its turns, so that every process goes by the same figures.

-- The token bucket of a trunk's calls_per_second (dialer/pacing.ts), kept under the trunk row's lock. null: full.
alter table trunks add column pace_tokens double precision, add column pace_at timestamptz;

-- How wide a campaign dials at present and since when (dialer/ramp.ts). null: it begins anew.
alter table campaigns add column ramp_limit int, add column ramp_at timestamptz;

-- When a caller number's answer rate was last looked at, and until when it rests (dialer/number-rest.ts).
alter table numbers add column rated_at timestamptz, add column rest_until timestamptz;

-- The turn of the workspace's individual calls among its campaigns.
alter table workspaces add column own_served_at timestamptz not null default 'epoch';

-- The INVITE has left. Between dialed_at and this it may be leaving, for no longer than dialer/outbound-call.ts says.
alter table call_attempts add column sent_at timestamptz;

-- Whether any individual call is due, without a look at each caller number.
create index calls_due_own on calls (workspace_id, next_attempt_at)
  where status in ('registered', 'retry') and lane_id is null;

-- A workspace's live calls are few and read together, by number, lane and destination: calls_live serves all three.
drop index calls_live_of_lane;
