-- What the provision file declared when its key or password was applied last, so that it is applied again only when the
-- file's value changes, and a key or password that was replaced in the dashboard stays replaced.
create table provisioned_secrets (
  workspace_id uuid not null references workspaces (id),
  -- `api_key`, or `owner ` and the e-mail address in lower case.
  kind text not null,
  -- SHA-256 of a key, Argon2id of a password. Null until the first start after the upgrade: an earlier version applied the
  -- file at every start, so what the file declares then counts as applied.
  hash text,
  applied_at timestamptz not null,
  primary key (workspace_id, kind)
);

insert into provisioned_secrets (workspace_id, kind, applied_at)
select workspace_id, 'api_key', created_at from api_keys;
insert into provisioned_secrets (workspace_id, kind, applied_at)
select m.workspace_id, 'owner ' || lower(u.email), m.created_at
from memberships m join users u on u.id = m.user_id where m.role = 'owner';
