import { sql } from 'kysely';
import type { Tx } from '../database.ts';

/** A number of a family, and what keeps it where it is. */
export interface MovableNumber {
  readonly id: string;
  readonly workspaceId: string;
  readonly number: string;
  readonly poolId: string | null;
  readonly agentName: string | null;
  /** Calls that wait or are in progress. */
  readonly calls: number;
  /** Campaigns that have started and not ended. */
  readonly campaigns: readonly string[];
}

/** Locks these numbers of these workspaces in id order. */
export async function lockMovable(
  tx: Tx,
  workspaceIds: readonly string[],
  which: { readonly numberIds: readonly string[] } | { readonly poolId: string },
): Promise<MovableNumber[]> {
  const chosen =
    'poolId' in which
      ? sql`n.number_pool_id = ${which.poolId}`
      : sql`n.id = any (${which.numberIds}::uuid[])`;
  const { rows } = await sql<MovableNumber>`
    select n.id, n.workspace_id as "workspaceId", n.number, n.number_pool_id as "poolId",
      (select a.display_name from agents a
        where a.workspace_id = n.workspace_id and a.id = n.inbound_agent_id) as "agentName",
      (select count(*)::int from calls c where c.workspace_id = n.workspace_id and c.number_id = n.id
        and c.status in ('registered', 'ongoing', 'retry')) as calls,
      array(select c.name from campaigns c
        where c.workspace_id = n.workspace_id and c.state in ('scheduled', 'ongoing', 'paused')
          and (c.number_pool_id = n.number_pool_id or exists (select from campaign_numbers m
            where m.workspace_id = c.workspace_id and m.campaign_id = c.id and m.number_id = n.id))
        order by c.name) as campaigns
    from numbers n where n.workspace_id = any (${workspaceIds}::uuid[]) and ${chosen}
    order by n.id for update of n`.execute(tx);
  return rows;
}

/** The numbers among these that the workspace has already. */
export async function numbersThere(
  tx: Tx,
  workspaceId: string,
  numbers: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ number: string }>`
    select number from numbers where workspace_id = ${workspaceId} and number = any (${numbers}::text[])`.execute(
    tx,
  );
  return new Set(rows.map(({ number }) => number));
}

/** Gives locked numbers to another workspace, without a pool. */
export async function moveNumbers(
  tx: Tx,
  numberIds: readonly string[],
  workspaceId: string,
  at: Date,
): Promise<void> {
  await sql`update numbers set workspace_id = ${workspaceId}, number_pool_id = null, updated_at = ${at}
    where id = any (${numberIds}::uuid[])`.execute(tx);
}

/** Gives a pool and its locked numbers to another workspace. */
export async function movePool(
  tx: Tx,
  pool: { readonly id: string; readonly name: string; readonly from: string; readonly to: string },
  at: Date,
): Promise<void> {
  await sql`insert into number_pools (workspace_id, id, name, created_at, updated_at)
    select ${pool.to}, id, name, created_at, ${at} from number_pools
    where workspace_id = ${pool.from} and id = ${pool.id}`.execute(tx);
  await sql`update numbers set workspace_id = ${pool.to}, updated_at = ${at}
    where workspace_id = ${pool.from} and number_pool_id = ${pool.id}`.execute(tx);
  await sql`delete from number_pools where workspace_id = ${pool.from} and id = ${pool.id}`.execute(tx);
}
