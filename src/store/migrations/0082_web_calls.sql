-- A browser call that a page may begin: one row a token, which is stored as its SHA-256. The row of `calls` follows when the
-- browser connects. `args` are emptied then; the row stays for a day, so that its caller can rate the call.
create table web_call_tokens (
  workspace_id uuid not null,
  token_hash text not null,
  call_id uuid not null,
  agent_id uuid not null,
  version_id uuid not null,
  -- The origin of the page; the connection must come from the same.
  origin text not null,
  media_type text not null check (media_type in ('audio', 'text')),
  args jsonb not null default '{}',
  -- Longest duration; null: the agent's.
  max_ms int,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (workspace_id, token_hash)
);
-- The browser sends the token alone.
create index web_call_tokens_by_hash on web_call_tokens (token_hash);
create index web_call_tokens_of_call on web_call_tokens (workspace_id, call_id);
create index web_call_tokens_age on web_call_tokens (created_at);

-- {rating, comment, at} of the caller; null: none.
alter table call_records add column feedback jsonb;

-- Which origins may begin calls with some agent: the answer to a browser's preflight request, which carries no key.
create index agent_versions_origins on agent_versions using gin ((config -> 'whitelisted_domains'))
  where config ? 'whitelisted_domains';
