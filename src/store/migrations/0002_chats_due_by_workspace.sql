-- Outside a transaction.
-- Due chats are found by workspace, so that the chats of one workspace cannot hide those of another.
drop index concurrently if exists chats_due_by_workspace;
create index concurrently chats_due_by_workspace on chats (workspace_id, due_at)
  where state = 'open' and due_at is not null;
drop index concurrently if exists chats_due;
