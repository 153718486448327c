-- The question of a search by meaning, and the analysis of an ended conversation, hold and cost credits as other uses of models do.
-- NOT VALID skips the scan: rows of the old kinds fulfil the wider checks.
alter table holds drop constraint holds_kind_check;
alter table holds add constraint holds_kind_check
  check (kind in ('chat', 'test', 'embedding', 'preview', 'search', 'analysis')) not valid;
alter table ledger drop constraint ledger_kind_check;
alter table ledger add constraint ledger_kind_check
  check (kind in ('lock', 'charge', 'transfer', 'chat', 'test', 'embedding', 'preview', 'search', 'analysis')) not valid;

-- The pace of inbound calls of a trunk, which all processes share; null before the first call.
alter table trunks add column inbound_tokens double precision, add column inbound_at timestamptz;
