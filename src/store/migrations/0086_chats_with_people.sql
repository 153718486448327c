-- A member of the workspace who answers a chat instead of the agent, as the audit log names them; null: the agent answers.
alter table chats add column taken_by text, add column taken_at timestamptz;
-- Who wrote a message of the role person.
alter table chat_messages add column author text;

-- What pages of chats watch: the newest message of a workspace, and its newest analysis.
create index chat_messages_newest on chat_messages (workspace_id, seq desc);
create index chats_processed on chats (workspace_id, processed_at desc) where processed_at is not null;
