-- Answered shares by hour and the funnel of retries read sums, never the attempts. They are folded from ended_attempts
-- (migration 0104).
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

insert into attempt_quarters
select workspace_id, campaign_id, floor(extract(epoch from dialed_at) / 900)::int, attempt, count(*),
  count(answered_at), sum(greatest(0, extract(epoch from ended_at - dialed_at) * 1000))::bigint
from call_attempts where campaign_id is not null and ended_at is not null and dialed_at is not null
group by 1, 2, 3, 4;
