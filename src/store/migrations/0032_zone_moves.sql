-- Changes of the zone of workspaces whose calls are many: a job moves the day sums and then stores the zone. Cost: catalogue alone.
create table zone_moves (
  workspace_id uuid primary key references workspaces (id),
  -- The zone to come.
  zone text not null,
  -- Of the sums, by the attempt that runs or ran last.
  percent smallint not null default 0,
  begun_at timestamptz not null
);
