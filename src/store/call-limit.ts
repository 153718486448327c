import { sql } from 'kysely';

/** Calls at once of the workspace `w`: its own limit without what it has given to its children. */
export const callLimitOf = sql<number>`greatest(0, w.call_limit - coalesce(
  (select sum(child.call_limit) from workspaces child where child.parent_id = w.id), 0))::int`;
