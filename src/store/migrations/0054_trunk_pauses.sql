-- A trunk that answered 503 with Retry-After gets no new calls before this time.
alter table trunks add column paused_until timestamptz;
