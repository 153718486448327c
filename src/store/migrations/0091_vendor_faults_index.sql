-- Calls with faults of vendors, the newest first: the health of a workspace's vendors.
create index call_records_faulty on call_records (workspace_id, updated_at desc)
  where vendor_faults <> '[]'::jsonb;
