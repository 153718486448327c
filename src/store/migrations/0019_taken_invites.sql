-- Which process took an inbound call, by Call-ID and From tag of its INVITE: a proxy that forks a call, or goes on to the next process too
-- early, sends it to two. A row counts for a minute; a crash of the database may empty the table.
create unlogged table taken_invites (
  invite_hash bytea primary key,
  node_id uuid not null,
  taken_at timestamptz not null
);

create index taken_invites_by_age on taken_invites (taken_at);
