alter table campaigns
  -- The breaker's rules as sent at the start; what is absent comes from the workspace, then from the defaults.
  add column breaker jsonb,
  -- Only attempts that ended later are judged: the campaign was started or resumed then.
  add column breaker_since timestamptz;

-- What the keeper looks at: everything that runs, and what is over and not yet reported.
drop index campaigns_unreported;
create index campaigns_kept on campaigns (workspace_id, id)
  where reported_at is null
    and state in ('scheduled', 'ongoing', 'paused', 'insufficient_balance', 'completed', 'terminated');

-- A campaign's contacts in the order of its file; a row of the file is one contact.
create unique index calls_of_contact on calls (workspace_id, lane_id, contact_row) where contact_row is not null;
