import { sql, type RawBuilder } from 'kysely';
import type { Tx } from './database.ts';

/**
 * How a statement learns the calls at once of a workspace that its transaction has locked before: the CTE `family`,
 * `ownLimit`, and `above`, the live calls that other members of its family have above their own limits. A limit that
 * was lowered ends no call, and the family keeps to its total because every other member has as many fewer until they
 * have ended. Nobody above a limit starts a call and limits change under the locks of the whole family, so what is
 * above only falls meanwhile.
 */
export interface FamilyParts {
  readonly family: RawBuilder<unknown>;
  readonly ownLimit: RawBuilder<number>;
  readonly above: RawBuilder<number>;
}

export const familyParts = (workspaceId: string): FamilyParts => ({
  family: sql`
    root as materialized (
      select id, call_limit from workspaces
      where id = (select coalesce(parent_id, id) from workspaces where id = ${workspaceId})),
    child as materialized (
      select id, call_limit from workspaces
      where parent_id = (select id from root) and parent_id is not null),
    family as materialized (
      select id, call_limit from child
      union all
      select id, greatest(0, call_limit - coalesce((select sum(call_limit) from child), 0)) from root)`,
  ownLimit: sql`(select call_limit::int from family where id = ${workspaceId})`,
  above: sql`(
    select coalesce(sum(greatest(0, l.live - f.call_limit)), 0)::int
    from family f
    cross join lateral (
      select count(*) as live from calls where workspace_id = f.id and status = 'ongoing') l
    where f.id <> ${workspaceId})`,
});

/** Calls that may start now in the workspace. Its row is locked by an earlier statement of this transaction. */
export async function callsFree(tx: Tx, workspaceId: string): Promise<number> {
  const { family, ownLimit, above } = familyParts(workspaceId);
  const { rows } = await sql<{ free: number }>`
    with ${family}
    select ${ownLimit} - ${above} - (
      select count(*)::int from calls where workspace_id = ${workspaceId} and status = 'ongoing') as free`.execute(
    tx,
  );
  return rows[0]?.free ?? 0;
}
