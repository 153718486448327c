-- Analytics by hour read a week instead of its seven days: the sums of attempt_slots and reaction_slots over the same quarter of
-- an hour of the seven days of a week, Monday to Sunday in UTC. slot: that quarter on the Monday. agent_id: nil for all
-- agents together, beside a row for each. Weeks in which the clock of a zone changes are read from the slots. The sums change in
-- the transaction that folds ended attempts, also when a process of an earlier version folds them, hence the trigger. Cost here:
-- catalogue alone; migration 0034 fills the tables.
create table attempt_weeks (
  workspace_id uuid not null,
  agent_id uuid not null,
  slot timestamptz not null,
  attempts int not null,
  answered int not null,
  duration_ms bigint not null,
  primary key (workspace_id, agent_id, slot)
) with (fillfactor = 70);

create table reaction_weeks (
  workspace_id uuid not null,
  agent_id uuid not null,
  slot timestamptz not null,
  counts int[] not null,
  primary key (workspace_id, agent_id, slot)
) with (fillfactor = 70);

-- The slot of a week that a slot adds to.
create function week_slot(slot timestamptz) returns timestamptz language sql stable parallel safe as $$
  select date_bin('7 days', slot, '1970-01-05 00:00:00Z') + (slot - date_bin('1 day', slot, '1970-01-05 00:00:00Z'))
$$;

-- Runs with the rights of the owner: a process of an earlier version works with roles that have none here until the walls stand.
create function count_weeks() returns trigger language plpgsql security definer set search_path from current as $$
begin
  insert into attempt_weeks (workspace_id, agent_id, slot, attempts, answered, duration_ms)
  select f.workspace_id, a.id, week_slot(f.slot), count(*), count(*) filter (where f.is_answered), sum(f.duration_ms)
  from folded f cross join lateral (values (f.agent_id), ('00000000-0000-0000-0000-000000000000'::uuid)) a (id)
  group by 1, 2, 3
  on conflict (workspace_id, agent_id, slot) do update set attempts = attempt_weeks.attempts + excluded.attempts,
    answered = attempt_weeks.answered + excluded.answered,
    duration_ms = attempt_weeks.duration_ms + excluded.duration_ms;
  insert into reaction_weeks (workspace_id, agent_id, slot, counts)
  select f.workspace_id, a.id, week_slot(f.slot), bucket_counts(array_agg(reaction_bucket((turn ->> 0)::float8)))
  from folded f cross join lateral jsonb_array_elements(f.turns) turn
  cross join lateral (values (f.agent_id), ('00000000-0000-0000-0000-000000000000'::uuid)) a (id)
  where turn ->> 0 is not null
  group by 1, 2, 3
  on conflict (workspace_id, agent_id, slot) do update set counts = add_counts(reaction_weeks.counts, excluded.counts);
  return null;
end $$;
-- Rows leave ended_attempts only when they are folded.
create trigger ended_attempts_weeks after delete on ended_attempts referencing old table as folded
  for each statement execute function count_weeks();

-- Computes the weeks of a workspace from its slots. Idempotent. A transaction that would fold meanwhile finds the lock taken and folds nothing.
create function fill_weeks(workspace uuid) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('call_days ' || workspace, 0));
  delete from attempt_weeks where workspace_id = workspace;
  delete from reaction_weeks where workspace_id = workspace;
  insert into attempt_weeks (workspace_id, agent_id, slot, attempts, answered, duration_ms)
  select s.workspace_id, a.id, week_slot(s.slot), sum(s.attempts), sum(s.answered), sum(s.duration_ms)
  from attempt_slots s
  cross join lateral (values (s.agent_id), ('00000000-0000-0000-0000-000000000000'::uuid)) a (id)
  where s.workspace_id = workspace group by 1, 2, 3;
  -- A sum for each of the 160 buckets is by far quicker than to unnest each histogram and group its buckets.
  execute format('insert into reaction_weeks (workspace_id, agent_id, slot, counts)
    select s.workspace_id, a.id, week_slot(s.slot), array[%s]::int[]
    from reaction_slots s
    cross join lateral (values (s.agent_id), (''00000000-0000-0000-0000-000000000000''::uuid)) a (id)
    where s.workspace_id = $1 group by 1, 2, 3',
    (select string_agg(format('coalesce(sum(s.counts[%s]), 0)', i), ', ' order by i) from generate_series(1, 160) i))
  using workspace;
end $$;
