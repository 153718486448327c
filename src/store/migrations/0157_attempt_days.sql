-- One definition of answered: attempts that a person answered, of attempts that were dialled or came in. Mailboxes,
-- screening services, faxes and announcements answer for no person (src/shared/answered-by.ts). The sums of migration
-- 0104 lose the attempts that such a machine answered, and attempt_days has the shares by UTC day of the dialing.
-- first_attempts: of calls dialled for the first time, which counts the calls that were dialled.
create table attempt_days (
  workspace_id uuid not null,
  day date not null,
  agent_id uuid not null,
  version_id uuid not null,
  number_id uuid not null,
  campaign_id uuid not null,
  attempts int not null,
  first_attempts int not null,
  answered int not null,
  primary key (workspace_id, day, agent_id, version_id, number_id, campaign_id)
) with (fillfactor = 70);
create index attempt_days_of_campaign on attempt_days (workspace_id, campaign_id)
  where campaign_id <> '00000000-0000-0000-0000-000000000000';

-- Nil: not a number of the workspace, or the row is from an earlier version.
alter table ended_attempts add column number_id uuid not null default '00000000-0000-0000-0000-000000000000';

-- One statement, and so one snapshot, for rows that wait and rows that are counted: an attempt that ends meanwhile is
-- counted once. Waiting attempts stay; what they will add to attempt_days is left out of it here.
with machine as (
  select t.workspace_id, t.attempt, date_bin('15 minutes', coalesce(t.dialed_at, c.created_at), 'epoch') as slot,
    c.agent_id, coalesce(c.campaign_id, '00000000-0000-0000-0000-000000000000') as campaign_id,
    coalesce(t.duration_ms, 0) as duration_ms
  from call_attempts t join calls c on c.workspace_id = t.workspace_id and c.id = t.call_id
  where t.status = 'ended' and (t.dialed_at is not null or c.call_type <> 'outbound') and t.answered_at is not null
    and t.sub_status in ('VOICEMAIL_DETECTED', 'CALL_SCREENED', 'NOT_ABLE_TO_CALL')),
slots as (
  insert into attempt_slots (workspace_id, slot, agent_id, campaign_id, attempts, answered, duration_ms)
  select workspace_id, slot, agent_id, campaign_id, 0, -count(*), -sum(duration_ms) from machine group by 1, 2, 3, 4
  on conflict (workspace_id, slot, agent_id, campaign_id) do update set
    answered = attempt_slots.answered + excluded.answered,
    duration_ms = attempt_slots.duration_ms + excluded.duration_ms),
quarters as (
  insert into attempt_quarters (workspace_id, campaign_id, quarter, attempt, calls, answered, busy_ms)
  select workspace_id, campaign_id, floor(extract(epoch from slot) / 900)::int, attempt, 0, -count(*), 0 from machine
  where campaign_id <> '00000000-0000-0000-0000-000000000000' group by 1, 2, 3, 4
  on conflict (workspace_id, campaign_id, quarter, attempt) do update set
    answered = attempt_quarters.answered + excluded.answered)
insert into attempt_days
select workspace_id, day, agent_id, version_id, number_id, campaign_id, sum(attempts), sum(first_attempts), sum(answered)
from (
  select t.workspace_id, (coalesce(t.dialed_at, c.created_at) at time zone 'UTC')::date as day, c.agent_id, c.version_id,
    coalesce(t.number_id, c.number_id, '00000000-0000-0000-0000-000000000000') as number_id,
    coalesce(c.campaign_id, '00000000-0000-0000-0000-000000000000') as campaign_id,
    1 as attempts, (t.attempt = 1)::int as first_attempts,
    (t.answered_at is not null
      and coalesce(t.sub_status, '') not in ('VOICEMAIL_DETECTED', 'CALL_SCREENED', 'NOT_ABLE_TO_CALL'))::int as answered
  from call_attempts t join calls c on c.workspace_id = t.workspace_id and c.id = t.call_id
  where t.status = 'ended' and (t.dialed_at is not null or c.call_type <> 'outbound')
  union all
  select workspace_id, (slot at time zone 'UTC')::date, agent_id, version_id, number_id, campaign_id,
    -1, -(attempt = 1)::int, -is_answered::int
  from ended_attempts) counted
group by 1, 2, 3, 4, 5, 6;
