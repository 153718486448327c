-- Outside a transaction.
-- The ended contacts of a campaign by their status, in the order of its list: few failed ones among a million are found
-- without reading the others. Waiting and live contacts have indexes of their own.
drop index concurrently if exists calls_of_contact_status;
create index concurrently calls_of_contact_status on calls (workspace_id, campaign_id, status, contact_row)
  where contact_row is not null and status in ('completed', 'failed', 'error', 'cancelled');
