-- While these tables are small their keys cost as much to read as any index that begins with the workspace, and of those
-- the planner takes the newest; a plan that took another one would read all of a workspace's when the table has grown.
-- So the keys are the newest.
alter table deliveries drop constraint deliveries_pkey, add primary key (workspace_id, id);
alter table events drop constraint events_pkey, add primary key (workspace_id, id);
