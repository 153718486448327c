-- A child without own terms has the unlimited credits of its parent. Children that were made before took over no change.
update workspaces c set unlimited = p.unlimited from workspaces p
where p.id = c.parent_id and c.unlimited <> p.unlimited;
