-- A warm transfer's second leg locks credits like a call of its own; its attempt's settlement charges it.
alter table ledger drop constraint ledger_kind_check;
-- Not validated: the rows of before satisfied the narrower rule.
alter table ledger add constraint ledger_kind_check check (kind in ('lock', 'charge', 'transfer')) not valid;

-- One row per leg: an attempt may transfer again after a transfer failed. An ended leg stays until the settlement.
alter table transfer_legs
  add column leg smallint not null default 1,
  add column reserved bigint not null default 0,
  add column answered_at timestamptz,
  add column ended_at timestamptz;
alter table transfer_legs drop constraint transfer_legs_pkey,
  add primary key (workspace_id, call_id, attempt, leg);
