-- Event streams that each process holds open, by workspace: all processes share one limit. A process renews its rows; the rows of a
-- process that died expire. A crash of the database may empty the table.
create unlogged table held_counts (
  name text not null,
  -- SHA-256 of the workspace's id.
  key text not null,
  process uuid not null,
  count int not null,
  ends_at timestamptz not null,
  primary key (name, key, process)
);
create index held_counts_over on held_counts (ends_at);
