create table knowledge_bases (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);
create index knowledge_bases_listed on knowledge_bases (workspace_id, created_at desc, id desc);

-- What a knowledge base is made from: an uploaded file, a web address or one question with its answer.
create table knowledge_sources (
  workspace_id uuid not null,
  kb_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('file', 'url', 'faq')),
  -- File name or address; the question of an FAQ.
  name text not null,
  answer text,
  format text,
  -- The upload until it was read, then null.
  content bytea,
  size_bytes bigint,
  status text not null check (status in ('pending', 'ready', 'failed')),
  error text,
  chunk_count int not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, kb_id, id),
  foreign key (workspace_id, kb_id) references knowledge_bases (workspace_id, id) on delete cascade
);

create table knowledge_chunks (
  workspace_id uuid not null,
  kb_id uuid not null,
  source_id uuid not null,
  seq int not null,
  heading text not null default '',
  question text,
  -- The question as it is compared: lower case, words only.
  asked text,
  body text not null,
  -- Terms are made by shared/knowledge/terms.ts: the server's parser breaks Indic words at their vowel signs.
  search tsvector not null,
  primary key (workspace_id, kb_id, source_id, seq),
  foreign key (workspace_id, kb_id, source_id)
    references knowledge_sources (workspace_id, kb_id, id) on delete cascade
);
-- No index on `search`: a search reads one knowledge base, whose size is bounded.
create index knowledge_chunks_asked on knowledge_chunks (workspace_id, kb_id, asked) where asked is not null;

create index agent_versions_knowledge on agent_versions using gin ((config -> 'knowledge_base_ids'));
