-- A draft is a version that takes no calls but those that name it: a copy of the active version, changed until it is published.
alter table agent_versions
  -- Null: a version. A published or discarded draft is closed, and stays for the test calls that it made.
  add column draft text check (draft in ('open', 'closed')),
  -- Of a draft: the active version as it was copied.
  add column base_version_id uuid,
  add column base_config jsonb,
  -- Who began the draft, published or rolled back, as the audit log names people; null: the version was created or copied at once.
  add column author text,
  -- False: a draft, or an old version of an agent with many, which only the history shows.
  add column is_listed boolean not null default true,
  add check ((draft is null) = (base_version_id is null and base_config is null));
create unique index agent_versions_open_draft on agent_versions (workspace_id, agent_id) where draft = 'open';
