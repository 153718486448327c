-- Where the recordings are and what is still to be done with them, what was erased, and who changed what.

-- One row per recorded attempt, from its settlement until its file is gone. `disk` is the folder of the process that
-- wrote it; null: unknown, any process may find it in its own. place: on that disk, or in the object store.
-- state: repair (a crash left it without a header), upload, uploaded (the local copy is still there), kept, delete.
create table recording_files (
  workspace_id uuid not null,
  call_id uuid not null,
  attempt smallint not null,
  path text not null,
  disk text,
  place text not null default 'disk' check (place in ('disk', 'store')),
  state text not null check (state in ('repair', 'upload', 'uploaded', 'kept', 'delete')),
  due_at timestamptz not null,
  -- Somebody works on it until then.
  taken_until timestamptz,
  tries int not null default 0,
  last_error text,
  created_at timestamptz not null,
  primary key (workspace_id, call_id, attempt)
) with (fillfactor = 70);
create index recording_files_due on recording_files (due_at) where state <> 'kept';

insert into recording_files (workspace_id, call_id, attempt, path, state, due_at, created_at)
select workspace_id, call_id, coalesce(substring(recording_path from '-(\d{1,4})\.wav$')::smallint, 1),
  recording_path, 'kept', updated_at, updated_at
from call_records where recording_path is not null and recording_state <> 'failed';

-- What retention looks for, beside recording_files: ids grow with time, so the oldest come first.
create index call_records_said on call_records (workspace_id, call_id)
  where transcript is not null or tool_log is not null or platform_analysis is not null;

-- Set when a call's personal data was erased: nobody writes any into its record again.
alter table call_records add column erased_at timestamptz;
create function keep_erased() returns trigger language plpgsql as $$
begin
  new.transcript := null;
  new.tool_log := null;
  new.platform_analysis := null;
  new.client_analysis := null;
  new.recording_path := null;
  new.recording_ms := null;
  new.recording_bytes := null;
  new.recording_state := null;
  new.erased_at := coalesce(old.erased_at, new.erased_at);
  return new;
end $$;
create trigger call_records_erased before update on call_records for each row
  when (old.erased_at is not null) execute function keep_erased();

-- An erasure of everything with some numbers, walked call by call in the order of their ids; `waiting` are calls that
-- were live when the walk met them. The numbers leave the row when it is done.
create table erasures (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  mobile_numbers text[] not null,
  state text not null check (state in ('due', 'done')),
  due_at timestamptz not null,
  after_call uuid,
  walked boolean not null default false,
  waiting uuid[] not null default '{}',
  erased_calls int not null default 0,
  requested_at timestamptz not null,
  done_at timestamptz,
  primary key (workspace_id, id)
) with (fillfactor = 70);
create index erasures_due on erasures (due_at) where state = 'due';

-- Who did what. Rows are never changed, and deleted by retention alone, which says so in its transaction.
create table audit_log (
  workspace_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  actor_type text not null,
  actor text not null,
  action text not null,
  method text not null,
  route text not null,
  status int not null,
  objects jsonb not null default '{}',
  request_id text not null,
  address text,
  primary key (workspace_id, id)
);
create index audit_log_of_action on audit_log (workspace_id, action, id);
create function audit_is_final() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('callwright.audit_retention', true) = 'on' then return old; end if;
  raise exception 'the audit log is append-only';
end $$;
create trigger audit_log_final before update or delete on audit_log for each row execute function audit_is_final();
create trigger audit_log_no_truncate before truncate on audit_log for each statement execute function audit_is_final();
