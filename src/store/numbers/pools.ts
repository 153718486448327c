import { sql } from 'kysely';
import type { CallPurpose } from '../../shared/call-purposes.ts';
import type { Db, Tx } from '../database.ts';
import type { CallerNumber } from './numbers.ts';

export interface PoolRow {
  id: string;
  name: string;
  createdAt: Date;
  updatedAt: Date;
}
export interface PoolMember {
  id: string;
  number: string;
  displayName: string;
  isSpam: boolean;
  lastUsedAt: Date | null;
  restUntil: Date | null;
}
const POOL = ['id', 'name', 'created_at as createdAt', 'updated_at as updatedAt'] as const;

export function listPools(db: Db, workspaceId: string): Promise<PoolRow[]> {
  return db
    .selectFrom('number_pools')
    .select(POOL)
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export function findPool(db: Db, workspaceId: string, poolId: string): Promise<PoolRow | undefined> {
  return db
    .selectFrom('number_pools')
    .select(POOL)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', poolId)
    .executeTakeFirst();
}

/** Locks the pool until commit, which serialises its changes and the choices of a number from it. */
export function lockPool(tx: Tx, workspaceId: string, poolId: string): Promise<PoolRow | undefined> {
  return tx
    .selectFrom('number_pools')
    .select(POOL)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', poolId)
    .forUpdate()
    .executeTakeFirst();
}

/** The members of one pool, or of all pools of the workspace (null), by pool id; least recently used first. */
export async function listMembers(
  db: Db,
  workspaceId: string,
  poolId: string | null,
): Promise<Map<string, PoolMember[]>> {
  let query = db
    .selectFrom('numbers')
    .select([
      'number_pool_id as numberPoolId',
      'id',
      'number',
      'display_name as displayName',
      'is_spam as isSpam',
      'last_used_at as lastUsedAt',
      'rest_until as restUntil',
    ])
    .where('workspace_id', '=', workspaceId);
  query =
    poolId === null
      ? query.where('number_pool_id', 'is not', null)
      : query.where('number_pool_id', '=', poolId);
  const rows = await query
    .orderBy('last_used_at', (order) => order.asc().nullsFirst())
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const members = new Map<string, PoolMember[]>();
  for (const { numberPoolId: pool, ...member } of rows) {
    if (pool !== null) members.set(pool, [...(members.get(pool) ?? []), member]);
  }
  return members;
}

export async function insertPool(
  tx: Tx,
  workspaceId: string,
  pool: { id: string; name: string },
  at: Date,
): Promise<void> {
  await tx
    .insertInto('number_pools')
    .values({ workspace_id: workspaceId, ...pool, created_at: at, updated_at: at })
    .execute();
}

export async function updatePool(
  tx: Tx,
  workspaceId: string,
  poolId: string,
  change: { name?: string },
  at: Date,
): Promise<void> {
  await tx
    .updateTable('number_pools')
    .set({ ...change, updated_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', poolId)
    .execute();
}

/** Deletes the pool; its numbers remain without a pool. */
export async function deletePool(tx: Tx, workspaceId: string, poolId: string, at: Date): Promise<void> {
  await tx
    .updateTable('numbers')
    .set({ number_pool_id: null, updated_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('number_pool_id', '=', poolId)
    .execute();
  await tx
    .deleteFrom('number_pools')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', poolId)
    .execute();
}

export interface PoolCandidate {
  id: string;
  number: string;
  numberPoolId: string | null;
  isTestNumber: boolean;
  purpose: CallPurpose | null;
}

/** Locks numbers of the workspace in id order. */
export function lockNumbers(
  tx: Tx,
  workspaceId: string,
  numberIds: readonly string[],
): Promise<PoolCandidate[]> {
  if (numberIds.length === 0) return Promise.resolve([]);
  return tx
    .selectFrom('numbers')
    .select(['id', 'number', 'number_pool_id as numberPoolId', 'is_test_number as isTestNumber', 'purpose'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', numberIds)
    .orderBy('id')
    .forUpdate()
    .execute();
}

export async function setPool(
  tx: Tx,
  workspaceId: string,
  numberIds: readonly string[],
  poolId: string | null,
  at: Date,
): Promise<void> {
  if (numberIds.length === 0) return;
  await tx
    .updateTable('numbers')
    .set({ number_pool_id: poolId, updated_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', numberIds)
    .execute();
}

/**
 * Takes the pool's least recently used caller number. Prefers numbers that do not rest, then numbers below their call
 * limit; never takes a number marked as spam. The caller holds the pool's lock. Null if no number may place calls.
 */
export async function takeFromPool(
  tx: Tx,
  workspaceId: string,
  poolId: string,
  at: Date,
): Promise<CallerNumber | null> {
  const { rows } = await sql<CallerNumber>`
    with next as (
      select n.id from numbers n
      where n.workspace_id = ${workspaceId} and n.number_pool_id = ${poolId}
        and not n.is_spam and not n.is_test_number and n.trunk_id is not null
      order by coalesce(n.rest_until > ${at}, false), coalesce(n.call_limit <= (
          select count(*) from calls c
          where c.workspace_id = n.workspace_id and c.number_id = n.id and c.status = 'ongoing'), false),
        n.last_used_at nulls first, n.created_at, n.id
      limit 1)
    update numbers n
    -- Later than every other number's last use, even within one clock tick.
    set last_used_at = greatest(${at}::timestamptz, (
      select max(last_used_at) from numbers
      where workspace_id = ${workspaceId} and number_pool_id = ${poolId}) + interval '1 microsecond')
    from next, trunks t
    where n.workspace_id = ${workspaceId} and n.id = next.id and t.id = n.trunk_id
    returning n.id, n.number, n.trunk_id as "trunkId", n.display_name as "displayName", n.provider,
              n.is_test_number as "isTestNumber", n.is_spam as "isSpam", n.number_pool_id as "numberPoolId",
              n.inbound_agent_id as "inboundAgentId", t.settings as "trunkSettings"`.execute(tx);
  return rows[0] ?? null;
}
