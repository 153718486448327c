-- Named keys beside the key of the workspace, which has no name and no scopes.
alter table api_keys drop constraint api_keys_pkey;
alter table api_keys add column id uuid not null default gen_random_uuid();
alter table api_keys alter column id drop default;
alter table api_keys
  add column name text,
  add column scopes text[],
  -- Null: it does not expire.
  add column expires_at timestamptz,
  -- Addresses and CIDR ranges from which it works; null: any.
  add column allowed_addresses text[],
  -- The owner who made it, as the audit log names people.
  add column made_by text,
  add primary key (workspace_id, id),
  add check ((name is null) = (scopes is null));
create unique index api_keys_of_workspace on api_keys (workspace_id) where name is null;
create unique index api_keys_named on api_keys (workspace_id, lower(name)) where name is not null;

-- A person who runs the installation: sees its settings, processes and hosts, which no workspace shows.
alter table users add column is_operator boolean not null default false;
-- Without a provision file that is the owner of the first workspace. A start with a file applies what the file declares.
update users set is_operator = true where id in (
  select user_id from memberships where role = 'owner' and workspace_id = (
    select id from workspaces where parent_id is null order by created_at, id limit 1));

-- The session that listens, and the session or key that took a chat over: when it ends, so does what it began.
alter table call_listeners add column session_id uuid;
alter table chats
  add column taken_session uuid,
  add column taken_key uuid;
create index chats_taken on chats (taken_at) where state = 'with_person';
