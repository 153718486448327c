-- A session that the workspace's server opened may be used by any page, and by an app that sends no Origin: its token is the
-- only right. Null: any origin.
alter table web_call_tokens alter column origin drop not null;
alter table web_chats alter column origin drop not null;
