-- Listeners whose end is not stored: the few live ones, and those of processes that died.
create index call_listeners_open on call_listeners (started_at) where started_at is not null and ended_at is null;
