-- A chat that a page may hold: one row an opening. The row of `chats` follows when the page connects. Tokens are stored as
-- their SHA-256. `args` are emptied at the first connection.
create table web_chats (
  workspace_id uuid not null,
  chat_id uuid not null,
  agent_id uuid not null,
  version_id uuid not null,
  -- The origin of the page; every connection must come from it.
  origin text not null,
  args jsonb not null default '{}',
  -- The token of the next connection; null: the opening token was used and its successor is not confirmed yet.
  token_hash text,
  -- Its successor, which the page gets at a connection and has not confirmed yet.
  next_hash text,
  created_at timestamptz not null,
  -- Of the opening token.
  expires_at timestamptz not null,
  connected_at timestamptz,
  primary key (workspace_id, chat_id)
);
-- The browser sends the token alone.
create index web_chats_by_token on web_chats (token_hash);
create index web_chats_by_next on web_chats (next_hash);
create index web_chats_age on web_chats (created_at);
