-- The latest requests of each workspace's key. Written in batches behind the responses, so a crash loses the last second.
create table api_requests (
  workspace_id uuid not null,
  id uuid not null,
  -- When it arrived.
  at timestamptz not null,
  method text not null,
  -- With its query; secrets are placeholders here and in the bodies.
  path text not null,
  status smallint not null,
  duration_ms int not null,
  request_id text not null,
  -- The key, as it may be shown.
  key text not null,
  content_type text,
  body_bytes bigint,
  -- JSON text; null: none, or of another type.
  body text,
  -- Body or response have only their beginning.
  is_cut boolean not null,
  -- Of a refused or failed request.
  response text,
  primary key (workspace_id, id)
);

-- Requests that arrived until then are not stored any more: an erasure has removed those that name the erased person, and
-- others may still wait in the memory of a process.
create table api_request_floors (
  workspace_id uuid primary key,
  at timestamptz not null
);
