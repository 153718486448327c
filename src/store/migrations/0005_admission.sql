-- Calls that a stranger began (a page with the public key, or an inbound call) have caps of their own beside those of the
-- workspace. All new columns have constant defaults, so no table is rewritten.
alter table workspaces
  -- The part of `locked_credits` and of `spent_today` that strangers caused.
  add column stranger_locked bigint not null default 0 check (stranger_locked >= 0),
  add column stranger_spent bigint not null default 0,
  -- Turns of a model that chats and tests took or hold on `turns_day` (UTC).
  add column turns_day date,
  add column turns_today int not null default 0;
alter table cap_starts add column strangers int not null default 0;
alter table calls add column by_stranger boolean not null default false;
alter table web_call_tokens add column by_stranger boolean not null default false;
-- A cold transfer: the carrier bears the call after the REFER, so it holds no channel, and its whole reserve is charged.
alter table transfer_legs add column by_refer boolean not null default false;

-- Credits and turns held for what is no call: a turn of a chat, a case of a test run, a batch of embeddings. The settlement
-- deletes the row; one that expired is released without a charge.
create table holds (
  workspace_id uuid not null references workspaces (id),
  -- The chat, the test run or the knowledge base.
  subject_id uuid not null,
  step int not null,
  kind text not null check (kind in ('chat', 'test', 'embedding', 'preview')),
  amount bigint not null check (amount >= 0),
  turns int not null check (turns >= 0),
  by_stranger boolean not null,
  at timestamptz not null,
  expires_at timestamptz not null,
  primary key (workspace_id, subject_id, kind, step)
);
create index holds_expired on holds (expires_at);

-- NOT VALID skips the scan: rows of the old kinds fulfil the wider check.
alter table ledger drop constraint ledger_kind_check;
alter table ledger add constraint ledger_kind_check
  check (kind in ('lock', 'charge', 'transfer', 'chat', 'test', 'embedding', 'preview')) not valid;

-- A child reads the terms of its parent through it, and stores only what it narrows.
update workspaces set
  unlimited = coalesce((settings -> 'own' ->> 'unlimited')::boolean, true),
  settings = (settings - array['limits', 'allow_premium_numbers', 'large_campaigns', 'circuit_breaker', 'own'])
    || (coalesce(settings -> 'own', '{}') - 'unlimited')
where parent_id is not null;
