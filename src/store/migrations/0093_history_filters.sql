-- The call history filtered by callee number, by an outcome other than completed, or by a direction other than
-- outbound: matches that are rare among many calls would otherwise be found by reading them all. The second and third
-- index hold few rows and leave the placing and claiming of outbound calls alone.
create index calls_to_number on calls (workspace_id, to_number, created_at desc);
create index calls_of_outcome on calls (workspace_id, status, created_at desc, id desc)
  where status in ('failed', 'error', 'cancelled');
create index calls_of_type on calls (workspace_id, call_type, created_at desc, id desc)
  where call_type in ('inbound', 'webcall');
