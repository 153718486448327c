-- Deliveries that no process can sign or address with the key it has wait for ever, until one is started that can:
-- those are found without a look at all others.
create index delivery_queue_held on delivery_queue (workspace_id) where due_at = 'infinity';
