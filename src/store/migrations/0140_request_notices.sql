-- What the service ignored in a request, such as an unknown query parameter: sentences. Null: an earlier version logged it.
alter table api_requests add column notices text[];
