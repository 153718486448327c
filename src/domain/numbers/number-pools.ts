import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, newId } from '../../shared/ids.ts';
import { campaignsUnderWay } from '../../store/campaigns.ts';
import type { Db, Tx } from '../../store/database.ts';
import {
  deletePool,
  findPool,
  insertPool,
  listMembers,
  listPools,
  lockNumbers,
  lockPool,
  setPool,
  updatePool,
  type PoolMember,
  type PoolRow,
} from '../../store/number-pools.ts';
import { mayPoolCall } from '../../store/numbers.ts';

interface Deps {
  db: Db;
  clock: Clock;
}

const toPool = (pool: PoolRow, members: readonly PoolMember[]) => ({
  id: pool.id,
  name: pool.name,
  created_at: pool.created_at.toISOString(),
  updated_at: pool.updated_at.toISOString(),
  numbers: members.map((member) => ({
    from_number_id: member.id,
    number: member.number,
    display_name: member.display_name,
    is_spam: member.is_spam,
    last_used_at: member.last_used_at?.toISOString() ?? null,
  })),
});
export type NumberPool = ReturnType<typeof toPool>;

/** The workspace's pools, each with its numbers, the next to call first. */
export async function readPools(deps: { db: Db }, workspaceId: string): Promise<NumberPool[]> {
  const pools = await listPools(deps.db, workspaceId);
  const members = await listMembers(deps.db, workspaceId, null);
  return pools.map((pool) => toPool(pool, members.get(pool.id) ?? []));
}

/** Throws 404. */
export async function readPool(deps: { db: Db }, workspaceId: string, poolId: string): Promise<NumberPool> {
  const pool = isUuid(poolId) ? await findPool(deps.db, workspaceId, poolId) : undefined;
  if (pool === undefined) throw errors.poolNotFound();
  const members = await listMembers(deps.db, workspaceId, pool.id);
  return toPool(pool, members.get(pool.id) ?? []);
}

/** Makes a pool of these numbers. `onStored` runs in the same transaction. Throws 400 as `addMembers`. */
export function createPool(
  deps: Deps,
  workspaceId: string,
  input: { name: string; numberIds: readonly string[] },
  onStored: (tx: Tx, pool: NumberPool) => Promise<void> = async () => undefined,
): Promise<NumberPool> {
  return deps.db.transaction().execute(async (tx) => {
    const at = new Date(deps.clock.now());
    const id = newId();
    await insertPool(tx, workspaceId, { id, name: input.name }, at);
    await join(tx, workspaceId, id, input.numberIds, at);
    const pool = await readPool({ db: tx }, workspaceId, id);
    await onStored(tx, pool);
    return pool;
  });
}

/** Runs `work` on the locked pool and answers the pool after it. Throws 404. */
function change(
  deps: Deps,
  workspaceId: string,
  poolId: string,
  work: (tx: Tx, pool: PoolRow, at: Date) => Promise<void>,
): Promise<NumberPool> {
  return deps.db.transaction().execute(async (tx) => {
    const pool = isUuid(poolId) ? await lockPool(tx, workspaceId, poolId) : undefined;
    if (pool === undefined) throw errors.poolNotFound();
    const at = new Date(deps.clock.now());
    await work(tx, pool, at);
    return readPool({ db: tx }, workspaceId, pool.id);
  });
}

export const renamePool = (deps: Deps, workspaceId: string, poolId: string, name: string) =>
  change(deps, workspaceId, poolId, (tx, pool, at) => updatePool(tx, workspaceId, pool.id, { name }, at));

/** Adds numbers of the workspace; those already in it stay. Throws 400 for foreign, test and other pools' numbers. */
export const addMembers = (deps: Deps, workspaceId: string, poolId: string, numberIds: readonly string[]) =>
  change(deps, workspaceId, poolId, async (tx, pool, at) => {
    await join(tx, workspaceId, pool.id, numberIds, at);
    await updatePool(tx, workspaceId, pool.id, {}, at);
  });

/**
 * Takes numbers out of the pool. Throws 400 for a number that is not in it, and 409 when a running campaign would have
 * none left to call from.
 */
export const removeMembers = (
  deps: Deps,
  workspaceId: string,
  poolId: string,
  numberIds: readonly string[],
) =>
  change(deps, workspaceId, poolId, async (tx, pool, at) => {
    const found = new Map((await lockable(tx, workspaceId, numberIds)).map((number) => [number.id, number]));
    numberIds.forEach((id, index) => {
      const field = `from_number_ids[${index}]`;
      const number = found.get(id.toLowerCase());
      if (number === undefined) throw errors.numberNotInWorkspace(field);
      if (number.number_pool_id !== pool.id) throw errors.numberNotInPool(field);
    });
    const couldCall = await mayPoolCall(tx, workspaceId, pool.id);
    await setPool(tx, workspaceId, [...found.keys()], null, at);
    if (couldCall && !(await mayPoolCall(tx, workspaceId, pool.id))) {
      await keepCampaigns(tx, workspaceId, pool.id, 'the last number that may call is taken out');
    }
    await updatePool(tx, workspaceId, pool.id, {}, at);
  });

/** Deletes the pool; its numbers stay. Throws 404, and 409 while a campaign that calls from it runs. */
export function removePool(deps: Deps, workspaceId: string, poolId: string): Promise<{ poolId: string }> {
  return deps.db.transaction().execute(async (tx) => {
    const pool = isUuid(poolId) ? await lockPool(tx, workspaceId, poolId) : undefined;
    if (pool === undefined) throw errors.poolNotFound();
    await keepCampaigns(tx, workspaceId, pool.id, 'the pool is deleted');
    await deletePool(tx, workspaceId, pool.id, new Date(deps.clock.now()));
    return { poolId: pool.id };
  });
}

/** Throws 409 when running campaigns call from the locked pool: without its numbers they would wait for ever. */
async function keepCampaigns(tx: Tx, workspaceId: string, poolId: string, act: string): Promise<void> {
  const running = await campaignsUnderWay(tx, workspaceId, { number_pool_id: poolId });
  if (running.length > 0) throw errors.poolHasCampaigns(running, act);
}

const lockable = (tx: Tx, workspaceId: string, numberIds: readonly string[]) =>
  lockNumbers(
    tx,
    workspaceId,
    numberIds.filter((id) => isUuid(id)),
  );

async function join(
  tx: Tx,
  workspaceId: string,
  poolId: string,
  numberIds: readonly string[],
  at: Date,
): Promise<void> {
  const found = new Map((await lockable(tx, workspaceId, numberIds)).map((number) => [number.id, number]));
  numberIds.forEach((id, index) => {
    const field = `from_number_ids[${index}]`;
    const number = found.get(id.toLowerCase());
    if (number === undefined) throw errors.numberNotInWorkspace(field);
    if (number.is_test_number) throw errors.testNumber();
    if (number.number_pool_id !== null && number.number_pool_id !== poolId) {
      throw errors.numberInOtherPool(field);
    }
  });
  await setPool(tx, workspaceId, [...found.keys()], poolId, at);
}
