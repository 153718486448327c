-- Finds the earlier calls of an agent with the same person.
create index calls_of_person on calls
  (workspace_id, agent_id, (case call_type when 'inbound' then from_number else to_number end), created_at desc)
  where status = 'completed';
