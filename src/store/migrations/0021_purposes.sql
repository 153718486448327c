-- What a number may be used for, and what a campaign is: transactional, service or promotional (India's rules for
-- commercial calls). Null: not stated.
alter table numbers
  add column purpose text check (purpose in ('transactional', 'service', 'promotional'));
alter table campaigns
  add column purpose text check (purpose in ('transactional', 'service', 'promotional')),
  -- The template that the campaign's calls follow, as registered with the operators' ledger (DLT).
  add column dlt_template_id text;
