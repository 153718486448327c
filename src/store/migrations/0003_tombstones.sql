-- What a restored backup must not bring back. A row waits here until the list outside the backups holds it (docs/records.md);
-- a number is stored there as its HMAC.
create table tombstone_queue (
  seq bigint generated always as identity primary key,
  workspace_id uuid not null,
  kind text not null check (kind in
    ('erased_number', 'erased_call', 'erased_chat', 'opted_out', 'opted_in', 'revoked_key', 'removed_member', 'member_role')),
  -- A number, the id of a call, chat or user, or the hash of a key.
  subject text not null,
  -- Of an opt-out: the campaign whose list it is; null: the workspace's list.
  campaign_id uuid,
  -- Of a member: the role from then on.
  role text,
  -- When it happened; null: when it is written into the list.
  at timestamptz
);

create function bury_erasure() returns trigger language plpgsql as $$
begin
  insert into tombstone_queue (workspace_id, kind, subject, at)
  select new.workspace_id, 'erased_number', number, new.requested_at from unnest(new.mobile_numbers) as n (number);
  return null;
end $$;
create trigger erasures_bury after insert on erasures for each row execute function bury_erasure();

create function bury_call() returns trigger language plpgsql as $$
begin
  insert into tombstone_queue (workspace_id, kind, subject, at)
  values (new.workspace_id, 'erased_call', new.call_id, new.erased_at);
  return null;
end $$;
create trigger call_records_bury_new after insert on call_records for each row
  when (new.erased_at is not null) execute function bury_call();
create trigger call_records_bury after update of erased_at on call_records for each row
  when (new.erased_at is not null and old.erased_at is null) execute function bury_call();

create function bury_chat() returns trigger language plpgsql as $$
begin
  insert into tombstone_queue (workspace_id, kind, subject, at)
  values (new.workspace_id, 'erased_chat', new.id, new.erased_at);
  return null;
end $$;
create trigger chats_bury after update of erased_at on chats for each row
  when (new.erased_at is not null and old.erased_at is null) execute function bury_chat();

create function bury_opt_outs() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'do_not_call' then
    insert into tombstone_queue (workspace_id, kind, subject) select workspace_id, tg_argv[0], number from changed;
  else
    insert into tombstone_queue (workspace_id, kind, subject, campaign_id)
    select workspace_id, tg_argv[0], number, campaign_id from changed;
  end if;
  return null;
end $$;
create trigger do_not_call_bury after insert on do_not_call referencing new table as changed
  for each statement execute function bury_opt_outs('opted_out');
create trigger do_not_call_lift after delete on do_not_call referencing old table as changed
  for each statement execute function bury_opt_outs('opted_in');
create trigger campaign_do_not_call_bury after insert on campaign_do_not_call referencing new table as changed
  for each statement execute function bury_opt_outs('opted_out');
create trigger campaign_do_not_call_lift after delete on campaign_do_not_call referencing old table as changed
  for each statement execute function bury_opt_outs('opted_in');

create function bury_key() returns trigger language plpgsql as $$
begin
  insert into tombstone_queue (workspace_id, kind, subject) values (old.workspace_id, 'revoked_key', old.key_hash);
  return null;
end $$;
create trigger api_keys_bury after update of key_hash on api_keys for each row
  when (new.key_hash <> old.key_hash) execute function bury_key();
create trigger api_keys_bury_deleted after delete on api_keys for each row execute function bury_key();

create function bury_member() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    insert into tombstone_queue (workspace_id, kind, subject) values (old.workspace_id, 'removed_member', old.user_id);
  else
    insert into tombstone_queue (workspace_id, kind, subject, role)
    values (new.workspace_id, 'member_role', new.user_id, new.role);
  end if;
  return null;
end $$;
create trigger memberships_bury_new after insert or delete on memberships for each row execute function bury_member();
create trigger memberships_bury after update of role on memberships for each row
  when (new.role <> old.role) execute function bury_member();

-- After a restore: opt-outs that are newer than the backup and whose numbers it did not have. Such a number may come back
-- with a new list. `digest` is its HMAC-SHA256, computed with the padded keys below.
create table opted_out (
  workspace_id uuid not null,
  digest text not null,
  at timestamptz not null,
  primary key (workspace_id, digest)
);
create table opted_out_key (
  only_row boolean primary key default true check (only_row),
  inner_pad bytea not null,
  outer_pad bytea not null
);
create function opt_out_digest(workspace uuid, callee text) returns text language sql stable as $$
  select encode(sha256(outer_pad || sha256(inner_pad || convert_to(workspace::text || ' ' || callee, 'UTF8'))), 'hex')
  from opted_out_key
$$;
create function is_opted_out(workspace uuid, callee text) returns boolean language sql stable as $$
  select case when exists (select from opted_out o where o.workspace_id = workspace)
    then exists (select from opted_out o where o.workspace_id = workspace and o.digest = opt_out_digest(workspace, callee))
    else false end
$$;

-- An erasure that fails is tried again later, and holds up no other.
alter table erasures add column tries int not null default 0;
