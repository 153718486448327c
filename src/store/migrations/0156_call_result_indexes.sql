-- Outside a transaction.
-- The history and the contacts of a campaign filtered by result, and the calls that were dialled or came in by the time
-- of their last dialing: few among a million that wait are found without reading the others.
drop index concurrently if exists calls_of_result;
create index concurrently calls_of_result on calls (workspace_id, result, created_at desc, id desc)
  where result is not null;
drop index concurrently if exists calls_of_contact_result;
create index concurrently calls_of_contact_result on calls (workspace_id, campaign_id, result, contact_row)
  where contact_row is not null and result is not null;
drop index concurrently if exists calls_dialled;
create index concurrently calls_dialled on calls (workspace_id, coalesce(dialed_at, created_at) desc, id desc)
  where dialed_at is not null or call_type <> 'outbound';
