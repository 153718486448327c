-- spoken_by: which engine gave a reply, and what went wrong at the models that were asked before. Null for messages of
-- earlier versions, of persons, and fixed lines.
alter table chat_messages add column spoken_by jsonb;

-- script: the script engine replies in a case when no language model answers. error: the case is an error.
alter table agent_test_runs add column on_model_failure text not null default 'error';
