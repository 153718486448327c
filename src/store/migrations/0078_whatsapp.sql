-- Numbers of the WhatsApp Business Cloud API. Token and app secret are sealed; verify_token is what Meta sends back when
-- the callback address is saved.
create table whatsapp_numbers (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  agent_id uuid not null,
  -- Meta's id of the number, which webhooks carry and requests address.
  phone_number_id text not null,
  number text not null,
  display_name text not null default '',
  access_token text not null,
  app_secret text not null,
  verify_token text not null,
  -- Sending is paused until then, and why: a token that expired, a limit of the account.
  paused_until timestamptz not null default '-infinity',
  last_error text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id),
  unique (workspace_id, phone_number_id),
  foreign key (workspace_id, agent_id) references agents (workspace_id, id)
);
create index whatsapp_numbers_by_id on whatsapp_numbers (id);
