-- What the processes counted together under the limits of strangers: failed sign-ins, wrong keys, calls and chats of pages. Each adds
-- its counts once a second. A crash of the database may forget them.
create unlogged table limit_counts (
  name text not null,
  -- SHA-256 of the address, account or key that is limited.
  key text not null,
  since timestamptz not null,
  ends_at timestamptz not null,
  count int not null,
  primary key (name, key)
);
create index limit_counts_over on limit_counts (ends_at);
