-- The planner takes the newest of indexes that look equally good, and while the queue is empty all do: a row is found
-- by its key.
alter table delivery_queue drop constraint delivery_queue_pkey, add primary key (workspace_id, id);

-- A trigger before every update locks each row once more. The outcome of an attempt sees to the address itself.
create function without_path(url text) returns text language sql immutable parallel safe
  return substring(url from '^[a-z]+://[^/?#]+') || '/';
create or replace function forget_address() returns trigger language plpgsql as $$
begin
  new.url := without_path(new.url);
  new.target := new.method || ' ' || new.url;
  new.headers := '{}';
  return new;
end $$;
drop trigger deliveries_forgotten on deliveries;
create trigger deliveries_forgotten before update of forget_address on deliveries for each row
  when (new.forget_address and new.state <> 'due') execute function forget_address();
