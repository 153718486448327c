-- Which process registers the account of a trunk: one at a time, so that the carrier sends each call to one process. The process renews
-- its rows; another takes a row that has ended, or whose process has left. A crash of the database may empty the table.
create unlogged table trunk_registrations (
  trunk_id uuid primary key,
  node_id uuid not null,
  ends_at timestamptz not null
);
