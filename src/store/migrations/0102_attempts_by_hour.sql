-- Answered shares by hour and the funnel of retries read sums, never the attempts. An ending attempt of a campaign leaves
-- one row in attempt_endings, folded into attempt_quarters as call_endings are into call_days.
-- quarter: quarters of an hour since 1970 at the dialling. Offsets of time zones are whole quarters, so that the sums
-- fit the clock of every zone. busy_ms: from the dialling to the end, how long the attempts took up a line.

create table attempt_quarters (
  workspace_id uuid not null,
  campaign_id uuid not null,
  quarter int not null,
  attempt smallint not null,
  calls int not null,
  answered int not null,
  busy_ms bigint not null,
  primary key (workspace_id, campaign_id, quarter, attempt)
) with (fillfactor = 70);

create table attempt_endings (
  workspace_id uuid not null,
  id bigint generated always as identity,
  campaign_id uuid not null,
  quarter int not null,
  attempt smallint not null,
  answered int not null,
  busy_ms bigint not null,
  primary key (workspace_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

create function note_attempt_ending() returns trigger language plpgsql as $$
begin
  insert into attempt_endings (workspace_id, campaign_id, quarter, attempt, answered, busy_ms)
  values (new.workspace_id, new.campaign_id, floor(extract(epoch from new.dialed_at) / 900)::int, new.attempt,
    (new.answered_at is not null)::int, greatest(0, extract(epoch from new.ended_at - new.dialed_at) * 1000)::bigint);
  return null;
end $$;

create trigger attempts_end after update of ended_at on call_attempts for each row
  when (new.ended_at is not null and old.ended_at is null and new.dialed_at is not null and new.campaign_id is not null)
  execute function note_attempt_ending();

insert into attempt_quarters
select workspace_id, campaign_id, floor(extract(epoch from dialed_at) / 900)::int, attempt, count(*),
  count(answered_at), sum(greatest(0, extract(epoch from ended_at - dialed_at) * 1000))::bigint
from call_attempts where campaign_id is not null and ended_at is not null and dialed_at is not null
group by 1, 2, 3, 4;
