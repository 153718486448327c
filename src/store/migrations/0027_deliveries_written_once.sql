-- The planner takes the newest of indexes that look equally good, and while the queue is empty all do: a row is found
-- by its key.
alter table delivery_queue drop constraint delivery_queue_pkey, add primary key (workspace_id, id);

-- A trigger before every update locks each row once more. The outcome of an attempt sees to the address itself.
drop trigger deliveries_forgotten on deliveries;
create trigger deliveries_forgotten before update of forget_address on deliveries for each row
  when (new.forget_address and new.state <> 'due') execute function forget_address();
