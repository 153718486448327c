-- How many calls dialers have ever put on a trunk: who counted its live calls a moment ago sees by it how many more
-- there may be now, without counting them again.
alter table trunks add column claims bigint not null default 0;
