-- What the provision file that was applied last declares of the providers of a workspace: stt, llm, tts, s2s and vendors.<name>.
alter table workspace_providers add column from_file text[] not null default '{}';
