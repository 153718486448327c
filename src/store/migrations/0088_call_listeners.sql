-- Members of the workspace who listened to live calls. A row without started_at is a token that has not connected; without
-- ended_at the listener left no later than the call ended.
create table call_listeners (
  workspace_id uuid not null,
  id uuid not null,
  call_id uuid not null,
  -- As the audit log names them.
  listener text not null,
  -- The token is stored as its SHA-256; the connection must come from a page of the same origin.
  token_hash text not null,
  origin text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (workspace_id, id)
);
-- The browser sends the token alone.
create index call_listeners_by_token on call_listeners (token_hash);
create index call_listeners_of_call on call_listeners (workspace_id, call_id);
create index call_listeners_unused on call_listeners (created_at) where started_at is null;
