-- A campaign is a lane of calls: its contacts are rows of `calls` with its id in lane_id, queued by import and
-- gated by the campaign's own state and window, so that starting, pausing or editing one touches one row.

create table campaigns (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  agent_id uuid not null,
  name text not null,
  state text not null check (state in ('uploaded', 'verifying', 'draft', 'scheduled', 'ongoing', 'paused',
    'completed', 'terminated', 'failed', 'insufficient_balance')),
  -- Why it stands where it stands, for people: a failed upload, a breaker that opened.
  message text,
  -- Between campaign and agent in the order of precedence: as sent, {call_time, call_retry_config}.
  call_config jsonb,
  -- Variable name to CSV column header, as sent.
  variables_map jsonb not null default '{}',
  country_code text,
  remove_invalid_rows boolean not null default false,
  start_at timestamptz,
  end_at timestamptz,
  -- Caller numbers: those of campaign_numbers, or the members of a pool.
  number_pool_id uuid,
  -- Receiver of every call's call_completed and of campaign_completed: {url}.
  callback jsonb,
  concurrency_percentage smallint check (concurrency_percentage between 1 and 100),
  -- Scheduling hint: no due call of the lane is earlier, nor may any start earlier. May be too early, never too late.
  next_due_at timestamptz not null default 'infinity',
  served_at timestamptz not null default 'epoch',
  total_rows int not null default 0,
  processed_rows int not null default 0,
  successful_rows int not null default 0,
  failed_rows int not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  -- Set with the event campaign_completed, which follows the last call's.
  reported_at timestamptz,
  primary key (workspace_id, id)
) with (fillfactor = 70);
create index campaigns_listed on campaigns (workspace_id, created_at desc, id desc);
create index campaigns_running on campaigns (workspace_id, next_due_at) where state in ('scheduled', 'ongoing');
create index campaigns_unreported on campaigns (workspace_id, id)
  where reported_at is null and state in ('ongoing', 'completed', 'terminated');
create index campaigns_of_agent on campaigns (workspace_id, agent_id);

create table campaign_numbers (
  workspace_id uuid not null,
  campaign_id uuid not null,
  number_id uuid not null,
  primary key (workspace_id, campaign_id, number_id),
  foreign key (workspace_id, campaign_id) references campaigns (workspace_id, id)
);

create table campaign_do_not_call (
  workspace_id uuid not null,
  campaign_id uuid not null,
  number text not null,
  reason text not null,
  created_at timestamptz not null,
  primary key (workspace_id, campaign_id, number)
);

-- A campaign's call gets its caller number and its agent's version when it is claimed; until then number_id is null
-- and from_number is empty.
alter table calls add column contact_row int;
alter table calls alter column from_number set default '';

-- Individual calls are read number by number, campaign calls lane by lane.
drop index calls_due;
create index calls_due on calls (workspace_id, number_id, next_attempt_at)
  where status in ('registered', 'retry') and lane_id is null;
create index calls_due_of_lane on calls (workspace_id, lane_id, next_attempt_at)
  where status in ('registered', 'retry') and lane_id is not null;
create index calls_live_of_lane on calls (workspace_id, lane_id) where status = 'ongoing' and lane_id is not null;
create index calls_retry_of_lane on calls (workspace_id, lane_id) where status = 'retry' and lane_id is not null;

-- What limits and breakers count by: attempts of a lane, of a caller number, to a callee.
alter table call_attempts
  add column lane_id uuid,
  add column number_id uuid,
  add column to_number text;
create index call_attempts_of_lane on call_attempts (workspace_id, lane_id, ended_at desc)
  where lane_id is not null and ended_at is not null;
create index call_attempts_of_number on call_attempts (workspace_id, number_id, ended_at desc)
  where ended_at is not null;
create index call_attempts_to on call_attempts (workspace_id, to_number, claimed_at desc);

-- campaign_completed waits for the deliveries of its calls.
alter table deliveries add column lane_id uuid;
create index deliveries_due_of_lane on deliveries (workspace_id, lane_id) where state = 'due' and lane_id is not null;
