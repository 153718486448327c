-- The call or chat that a result's case was saved from: it is found after the case was deleted.
alter table agent_test_results add column source_id uuid;
update agent_test_results r set source_id = c.source_id from agent_test_cases c
  where c.workspace_id = r.workspace_id and c.id = r.case_id and c.source_id is not null;
create index agent_test_results_source on agent_test_results (workspace_id, source_id) where source_id is not null;

-- How far the retention of contacts has masked the calls of a workspace: every call before it has ended and is masked.
create table contact_marks (
  workspace_id uuid primary key references workspaces (id),
  masked_until uuid not null
);
