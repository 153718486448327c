-- What each process carries, written with its heartbeat, so that any process can show all of them; null: an earlier version.
alter table nodes add column figures jsonb;
