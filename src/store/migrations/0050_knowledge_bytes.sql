-- What each source holds in the database: the uploaded file until it is read, then the text of its chunks.
alter table knowledge_sources add column stored_bytes bigint not null default 0;
update knowledge_sources s set stored_bytes = coalesce(octet_length(s.content), 0) + coalesce((
  select sum(octet_length(c.heading) + coalesce(octet_length(c.question), 0) + octet_length(c.body))
  from knowledge_chunks c
  where c.workspace_id = s.workspace_id and c.kb_id = s.kb_id and c.source_id = s.id), 0);
