-- What the pieces of knowledge mean to a model, beside their words. Goes with its chunk.
create table knowledge_vectors (
  workspace_id uuid not null,
  kb_id uuid not null,
  source_id uuid not null,
  seq int not null,
  -- The model with the length asked of it: vectors of two are never compared.
  model text not null,
  -- Unit length, 32-bit floats, lowest byte first.
  vector bytea not null,
  primary key (workspace_id, kb_id, source_id, seq),
  foreign key (workspace_id, kb_id, source_id, seq)
    references knowledge_chunks (workspace_id, kb_id, source_id, seq) on delete cascade
);
-- Numbers of this kind do not pack.
alter table knowledge_vectors alter column vector set storage external;

alter table knowledge_sources
  -- The model that all of its chunks have vectors of.
  add column vector_model text,
  -- The model that is or was asked for them, how often, and what came of it.
  add column vector_target text,
  add column vector_tries int not null default 0,
  add column vector_error text,
  -- Not before this; while they are asked for, the lease.
  add column vector_due_at timestamptz;
create index knowledge_sources_to_embed on knowledge_sources (vector_model, vector_due_at)
  where status = 'ready' and chunk_count > 0;
