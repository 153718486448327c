-- The job runner finds the workspaces with due jobs of its kind by a loose index scan and reads the oldest jobs of each.
-- Jobs that used up their attempts are searched among the begun ones, apart from the backlog.
create index jobs_of_workspace on jobs (kind, workspace_id, due_at) where state = 'due';
create index jobs_begun on jobs (kind, due_at) where state = 'due' and attempt > 0;
drop index jobs_due;
