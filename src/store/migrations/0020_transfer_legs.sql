-- Second legs of calls that are being transferred: each takes a channel of its trunk while its call lives. Written
-- before the INVITE of the leg; what a crash leaves behind belongs to an attempt that is over and counts no more.
create table transfer_legs (
  workspace_id uuid not null,
  call_id uuid not null,
  attempt smallint not null,
  trunk_id uuid not null,
  started_at timestamptz not null,
  primary key (workspace_id, call_id)
);
create index transfer_legs_of_trunk on transfer_legs (trunk_id);
