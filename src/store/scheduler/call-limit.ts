import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../database.ts';

/**
 * SQL fragments for the call limit of a workspace that an earlier statement of the transaction has locked: the CTEs
 * `family`, the expression `ownLimit`, and `above`, the live calls of others that reduce it.
 *
 * A parent and its children without a limit of their own (null) share what the other children leave of the parent's limit:
 * the live calls of one reduce what the others may start.
 *
 * Lowering a limit ends no live call. To keep the family's total, every other member may start as many calls fewer
 * until the excess has ended. That part of `above` needs no lock on the other members: a member above its limit starts no
 * call, and limits change only under the locks of the whole family, so a stale value is too high and never too low. The part
 * of the sharing members needs `lockShared`.
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
      select id, call_limit, false as shares from child where call_limit is not null
      union all
      select m.id, greatest(0, r.call_limit - coalesce((select sum(call_limit) from child), 0)), true
      from root r cross join lateral (
        select r.id union all select id from child where call_limit is null) m)`,
  ownLimit: sql`(select call_limit::int from family where id = ${workspaceId})`,
  above: sql`(
    with used as (
      select f.id, f.shares, f.call_limit, l.live from family f
      cross join lateral (
        select count(*) as live from calls where workspace_id = f.id and status = 'ongoing') l)
    select (
      coalesce(sum(greatest(0, u.live - u.call_limit)) filter (where not u.shares and u.id <> ${workspaceId}), 0)
      + case when bool_or(u.shares and u.id = ${workspaceId})
        then coalesce(sum(u.live) filter (where u.shares and u.id <> ${workspaceId}), 0)
        else greatest(0, coalesce(sum(u.live) filter (where u.shares), 0)
                         - coalesce(max(u.call_limit) filter (where u.shares), 0)) end)::int
    from used u)`,
});

/**
 * Serialises the starts of members that share a limit until commit; no effect on other workspaces. The advisory lock is the
 * last lock that a claim waits for, after its workspace.
 */
export async function lockShared(tx: Tx, workspaceId: string): Promise<void> {
  await sql`/* hot:lock_shared */
    select pg_advisory_xact_lock(hashtextextended(r.id::text, 132)) from (
      select coalesce(w.parent_id, w.id) as id from workspaces w
      where w.id = ${workspaceId} and (w.parent_id is null or w.call_limit is null)) r
    where exists (select from workspaces c where c.parent_id = r.id and c.call_limit is null)`.execute(tx);
}

/** Calls that may start now in the workspace. An earlier statement of the transaction has locked its row. */
export async function callsFree(tx: Tx, workspaceId: string): Promise<number> {
  await lockShared(tx, workspaceId);
  const { family, ownLimit, above } = familyParts(workspaceId);
  const { rows } = await sql<{ free: number }>`
    with ${family}
    select ${ownLimit} - ${above} - (
      select count(*)::int from calls where workspace_id = ${workspaceId} and status = 'ongoing') as free`.execute(
    tx,
  );
  return rows[0]?.free ?? 0;
}
