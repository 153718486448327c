-- The subscription recovers by itself: its given-up deliveries are kept and sent when the receiver is back.
alter table deliveries add column recovers boolean not null default false;
-- Deliveries that were given up. `new`: the recovery has not seen it; `kept`: waits until the receiver is back; `sending`: in
-- delivery_queue again, for one attempt. A row ends with its delivery's success.
create table given_up_deliveries (
  workspace_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  state text not null default 'new' check (state in ('new', 'kept', 'sending')),
  -- The outage that keeps it, and the order of its event.
  outage_id uuid,
  event_seq bigint,
  primary key (workspace_id, id)
);
create index given_up_deliveries_new on given_up_deliveries (at) where state = 'new';
create index given_up_deliveries_kept on given_up_deliveries (outage_id, event_seq) where state = 'kept';
create index given_up_deliveries_of_workspace on given_up_deliveries (workspace_id, event_seq) where state = 'kept';
-- A receiver that accepts nothing: from the first delivery that was given up until it accepts one again.
create table webhook_outages (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  -- Method and address; `target_key` is its MD5, because an address may be longer than an index entry.
  target text not null,
  target_key text not null,
  url text not null,
  method text not null,
  recovers boolean not null,
  since timestamptz not null,
  last_failed_at timestamptz not null,
  checked_at timestamptz not null,
  -- Probes since the receiver last accepted something, and the time of the next one; null: only a success of a new event ends it.
  probes int not null default 0,
  probe_at timestamptz,
  -- The kept delivery that is being sent; null: none is.
  head_id uuid,
  -- How often it was refused while the receiver accepted other events.
  refusals int not null default 0,
  -- The receiver has accepted something since `last_failed_at`.
  is_back boolean not null default false,
  dropped int not null default 0,
  primary key (workspace_id, id)
);
create unique index webhook_outages_target on webhook_outages (workspace_id, target_key);
create index webhook_outages_checked on webhook_outages (checked_at);
