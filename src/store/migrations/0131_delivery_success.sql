-- The subscription counts every status from 200 to 299 as success, not 200 alone.
alter table deliveries add column any_2xx boolean not null default false;
