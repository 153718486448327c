-- Figures of attempts by the time of their dialing, where call_days counts calls by the day of their creation: attempts and
-- answers by quarter of an hour (the step of the time zones' offsets), and reaction times as histograms. The transaction
-- that ends an attempt inserts one row into ended_attempts, so two attempts that end never wait for each other; its rows
-- are folded as those of call_endings are, those of campaigns also into attempt_quarters. What is counted is the folded
-- tables and ended_attempts together.
-- slot: the quarter of an hour in which the attempt was dialled, or in which the call came in. Nil stands for no campaign.

-- The histogram bucket of milliseconds: 0 below 20 ms, then steps of 5 %, the last from 44.6 s. Bounds: src/domain/analytics/histogram.ts.
create function reaction_bucket(ms float8) returns smallint language sql immutable parallel safe as $$
  select case when ms < 20 then 0 else least(159, floor(ln(ms / 20) / ln(1.05)) + 1) end::smallint
$$;

-- The histogram of buckets: element 1 counts bucket 0; it ends with the last bucket that has one.
create function bucket_counts(buckets smallint[]) returns int[] language sql immutable parallel safe as $$
  select array_agg(coalesce(c.n, 0) order by i)
  from generate_series(0, (select max(b) from unnest(buckets) b)) i
  left join (select b, count(*)::int as n from unnest(buckets) b group by b) c on c.b = i
$$;

create function add_counts(a int[], b int[]) returns int[] language sql immutable parallel safe as $$
  select array(select coalesce(x, 0) + coalesce(y, 0) from unnest(a, b) as t (x, y))
$$;

create table ended_attempts (
  workspace_id uuid not null,
  id bigint generated always as identity,
  slot timestamptz not null,
  agent_id uuid not null,
  version_id uuid not null,
  campaign_id uuid not null,
  -- 1: the first; later ones are retries.
  attempt smallint not null,
  is_answered boolean not null,
  duration_ms int not null,
  -- From the dialing to the end.
  busy_ms bigint not null,
  -- By turn, in ms: [reaction, endpointing, recognition, model, voice]; null: unknown.
  turns jsonb not null,
  primary key (workspace_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

create table attempt_slots (
  workspace_id uuid not null,
  slot timestamptz not null,
  agent_id uuid not null,
  campaign_id uuid not null,
  attempts int not null,
  answered int not null,
  duration_ms bigint not null,
  primary key (workspace_id, slot, agent_id, campaign_id)
) with (fillfactor = 70);

-- Reaction times and their parts by UTC day. part: 0 reaction, 1 endpointing, 2 recognition, 3 model, 4 voice.
create table reaction_days (
  workspace_id uuid not null,
  day date not null,
  agent_id uuid not null,
  version_id uuid not null,
  campaign_id uuid not null,
  part smallint not null,
  counts int[] not null,
  primary key (workspace_id, day, agent_id, version_id, campaign_id, part)
) with (fillfactor = 70);

-- The reaction alone, by quarter of an hour and without campaigns, so that a year of hours stays quick to read.
create table reaction_slots (
  workspace_id uuid not null,
  slot timestamptz not null,
  agent_id uuid not null,
  counts int[] not null,
  primary key (workspace_id, slot, agent_id)
) with (fillfactor = 70);

insert into attempt_slots
select t.workspace_id, date_bin('15 minutes', coalesce(t.dialed_at, c.created_at), 'epoch'), c.agent_id,
  coalesce(c.campaign_id, '00000000-0000-0000-0000-000000000000'), count(*), count(t.answered_at),
  coalesce(sum(t.duration_ms), 0)
from call_attempts t join calls c on c.workspace_id = t.workspace_id and c.id = t.call_id
where t.status = 'ended' and (t.dialed_at is not null or c.call_type <> 'outbound')
group by 1, 2, 3, 4;

create temporary table measured on commit drop as
select r.workspace_id, date_bin('15 minutes', coalesce(t.dialed_at, c.created_at), 'epoch') as slot, c.agent_id,
  c.version_id, coalesce(c.campaign_id, '00000000-0000-0000-0000-000000000000') as campaign_id, p.part,
  reaction_bucket(p.ms) as bucket
from call_records r
join calls c on c.workspace_id = r.workspace_id and c.id = r.call_id
left join call_attempts t on t.workspace_id = r.workspace_id and t.call_id = r.call_id and t.attempt = r.attempt,
jsonb_array_elements(case when jsonb_typeof(r.latency) = 'array' then r.latency else '[]' end) turn,
lateral (values (0::smallint, (turn ->> 'totalMs')::float8), (1::smallint, (turn ->> 'endpointingMs')::float8),
  (2::smallint, (turn ->> 'recognitionMs')::float8), (3::smallint, (turn ->> 'modelMs')::float8),
  (4::smallint, (turn ->> 'voiceMs')::float8)) p (part, ms)
where p.ms is not null and c.status in ('completed', 'failed', 'error', 'cancelled', 'retry');

insert into reaction_days
select workspace_id, (slot at time zone 'UTC')::date, agent_id, version_id, campaign_id, part,
  bucket_counts(array_agg(bucket))
from measured group by 1, 2, 3, 4, 5, 6;

insert into reaction_slots
select workspace_id, slot, agent_id, bucket_counts(array_agg(bucket))
from measured where part = 0 group by 1, 2, 3;
