-- Vendors' voices that a workspace has chosen: calls speak with them without a question to the vendor, and records name
-- them after the vendor's account is gone.
create table workspace_voices (
  workspace_id uuid not null references workspaces (id),
  voice_id uuid not null,
  voice_key text not null,
  name text not null,
  gender text not null,
  languages text[] not null,
  description text not null,
  primary key (workspace_id, voice_id)
);
