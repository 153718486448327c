-- Tokens for the streams of calls that carriers announce: any process takes the stream, once. A row counts for ten minutes; a crash of the
-- database may empty the table.
create unlogged table stream_tokens (
  token_hash bytea primary key,
  -- Of the trunk and the carrier's id of the call.
  call_hash bytea not null unique,
  trunk_id uuid not null,
  -- A repeated announcement gets the same token.
  sealed_token text not null,
  -- What the carrier said of the call; null: the stream was taken.
  sealed_call text,
  issued_at timestamptz not null
);

create index stream_tokens_by_age on stream_tokens (issued_at);
