-- Outside a transaction.
-- Fills the sums by week (0033), a workspace a transaction, from its sums by quarter of an hour. A process that runs meanwhile
-- folds no attempt of that workspace, and neither calls nor requests wait. Cost: some seconds for each year of an agent that calls
-- all day.
do $$ declare w record; begin
  for w in select id from workspaces where exists (select from attempt_slots s where s.workspace_id = workspaces.id)
  loop perform fill_weeks(w.id); commit; end loop; end $$;
