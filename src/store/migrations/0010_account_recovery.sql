-- A link that sets a new password: it works once, for 24 hours.
create table password_links (
  token_hash text primary key,
  user_id uuid not null unique references users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

-- What happened to an account: sign-ins, and changes of how it is protected. Copied to the audit logs of its workspaces.
create table account_log (
  user_id uuid not null references users (id) on delete cascade,
  id uuid not null,
  at timestamptz not null,
  action text not null,
  -- Who did it, if not the user.
  by text,
  address text,
  primary key (user_id, id)
);
