-- Conversations by text. A chat is one session of one person with one agent.

alter table agents drop constraint agents_agent_type_check,
  add constraint agents_agent_type_check check (agent_type in ('inbound', 'outbound', 'outbound_inbound', 'whatsapp'));

create table chats (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  agent_id uuid not null,
  version_id uuid not null,
  -- test: a test run from the dashboard or the API; in no list, event or analysis.
  channel text not null check (channel in ('whatsapp', 'web', 'test')),
  -- The WhatsApp number that carries the chat.
  channel_id uuid,
  -- The person's key in the channel (of WhatsApp: `<channel_id>:<id of the user>`), and the number if the channel tells it.
  customer text not null,
  customer_number text,
  customer_name text not null default '',
  args jsonb not null default '{}',
  -- with_person: a person of the workspace answers instead of the agent.
  state text not null default 'open' check (state in ('open', 'with_person', 'closed')),
  end_reason text,
  -- History, memory and variables of the agent; see src/chat/turn.ts.
  talk jsonb not null default '{}',
  tool_log jsonb not null default '[]',
  -- Tools of the turn under way, written before each runs, so that a turn that is taken again repeats none.
  turn_tools jsonb not null default '[]',
  -- Tokens of language models.
  usage jsonb not null default '[]',
  -- Set while messages wait for an answer.
  due_at timestamptz,
  -- The worker that takes a turn holds the chat until then; `turn` fences its commit.
  leased_until timestamptz not null default '-infinity',
  turn int not null default 0,
  tries int not null default 0,
  created_at timestamptz not null,
  -- The person's last message; opens the 24 hours in which a business may answer freely.
  customer_at timestamptz,
  -- When the chat ends unless someone writes.
  ends_at timestamptz not null,
  ended_at timestamptz,
  platform_analysis jsonb,
  client_analysis jsonb,
  -- all_processing_completed was stored.
  processed_at timestamptz,
  erased_at timestamptz,
  primary key (workspace_id, id)
) with (fillfactor = 70);
-- One chat of a person at a time.
create unique index chats_open on chats (workspace_id, channel, customer)
  where state <> 'closed';
create index chats_due on chats (due_at) where state = 'open' and due_at is not null;
create index chats_ending on chats (ends_at) where state <> 'closed';
create index chats_tests on chats (ended_at) where channel = 'test' and state = 'closed';
create index chats_listed on chats (workspace_id, created_at desc, id desc);
create index chats_of_number on chats (workspace_id, customer_number) where customer_number is not null;

create table chat_messages (
  workspace_id uuid not null,
  chat_id uuid not null,
  id uuid not null,
  seq bigint generated always as identity,
  -- person: somebody of the workspace, after a take-over.
  role text not null check (role in ('agent', 'customer', 'person')),
  kind text not null default 'text',
  text text not null,
  -- Buttons, a template, or the choice that the person made.
  content jsonb,
  -- The channel's id of the message.
  external_id text,
  sent_at timestamptz not null,
  created_at timestamptz not null,
  -- The turn that answered a customer's message; null: not answered yet.
  turn int,
  -- Ours: queued, sending (journalled before the request), unsure (its answer was lost), sent, delivered, read, failed.
  state text check (state in ('queued', 'sending', 'unsure', 'sent', 'delivered', 'read', 'failed')),
  due_at timestamptz,
  tries smallint not null default 0,
  error_code int,
  primary key (workspace_id, id)
) with (fillfactor = 80);
create unique index chat_messages_external on chat_messages (workspace_id, external_id) where external_id is not null;
create index chat_messages_of on chat_messages (workspace_id, chat_id, seq);
create index chat_messages_outbox on chat_messages (due_at) where state in ('queued', 'sending', 'unsure');
