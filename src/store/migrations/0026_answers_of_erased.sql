-- What a receiver answers may repeat what it was told: once a call is erased, no attempt to tell of it keeps the answer,
-- not even one that was under way.
alter table deliveries add column without_answers boolean not null default false;
update deliveries d set without_answers = true
from call_records r where r.workspace_id = d.workspace_id and r.call_id = d.call_id and r.erased_at is not null;
