-- Roles of the dashboard. A manager changes everything that a key can change; a viewer only reads.
alter table memberships drop constraint memberships_role_check;
update memberships set role = case role when 'admin' then 'manager' else 'viewer' end where role in ('admin', 'member');
alter table memberships add constraint memberships_role_check check (role in ('owner', 'manager', 'viewer'));
create index memberships_of_user on memberships (user_id);

-- Two-step sign-in: the sealed secret, the last time step that was accepted (a code works once), and the hashes of
-- recovery codes that are left.
alter table users add column totp_secret text;
alter table users add column totp_enabled boolean not null default false;
alter table users add column totp_step bigint not null default 0;
alter table users add column recovery_codes text[] not null default '{}';

-- Only the hash of a session's token is kept.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  token_hash text not null unique,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  expires_at timestamptz not null,
  address text not null,
  user_agent text not null
);
create index sessions_of_user on sessions (user_id, seen_at);

create table invitations (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  email text not null,
  role text not null check (role in ('owner', 'manager', 'viewer')),
  token_hash text not null unique,
  invited_by uuid references users (id) on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create unique index invitations_email on invitations (workspace_id, lower(email));
