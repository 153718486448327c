import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../database.ts';

/**
 * SQL fragments for the call limit of a workspace that an earlier statement of the transaction has locked: the CTEs
 * `family`, the expression `ownLimit`, and `above`, the live calls of the other family members beyond their own limits.
 *
 * Lowering a limit ends no live call. To keep the family's total, every other member may start as many calls fewer
 * until the excess has ended. `above` needs no lock on the other members: a member above its limit starts no call, and
 * limits change only under the locks of the whole family, so a stale value is too high and never too low.
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

/** Calls that may start now in the workspace. An earlier statement of the transaction has locked its row. */
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
