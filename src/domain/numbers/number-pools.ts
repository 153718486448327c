import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, newId } from '../../shared/ids.ts';
import { campaignsUnderWay, purposesOfCampaigns } from '../../store/campaigns/campaigns.ts';
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
} from '../../store/numbers/pools.ts';
import { mayPoolCall } from '../../store/numbers/numbers.ts';
import { misfit } from './purpose.ts';
import { numberIdsOf } from './number-ids.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';

interface Deps {
  db: Db;
  clock: Clock;
}

export interface NumberPool {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** In the order of number rotation: the next to call first. */
  readonly numbers: readonly {
    readonly id: string;
    readonly number: string;
    readonly displayName: string;
    readonly isSpam: boolean;
    readonly lastUsedAt: Date | null;
    /** Null: never, or no longer. */
    readonly restingUntil: Date | null;
  }[];
}

const toPool = (pool: PoolRow, members: readonly PoolMember[], now: number): NumberPool => ({
  id: pool.id,
  name: pool.name,
  createdAt: pool.createdAt,
  updatedAt: pool.updatedAt,
  numbers: members.map((member) => ({
    id: member.id,
    number: member.number,
    displayName: member.displayName,
    isSpam: member.isSpam,
    lastUsedAt: member.lastUsedAt,
    restingUntil: (member.restUntil?.getTime() ?? 0) > now ? member.restUntil : null,
  })),
});

export async function readPools(deps: Deps, workspaceId: string): Promise<NumberPool[]> {
  const pools = await listPools(deps.db, workspaceId);
  const members = await listMembers(deps.db, workspaceId, null);
  return pools.map((pool) => toPool(pool, members.get(pool.id) ?? [], deps.clock.now()));
}

/** Throws 404. */
export async function readPool(deps: Deps, workspaceId: string, poolId: string): Promise<NumberPool> {
  const pool = isUuid(poolId) ? await findPool(deps.db, workspaceId, poolId) : undefined;
  if (pool === undefined) throw errors.poolNotFound();
  const members = await listMembers(deps.db, workspaceId, pool.id);
  return toPool(pool, members.get(pool.id) ?? [], deps.clock.now());
}

/** Creates a pool of these numbers. `onStored` runs in the same transaction. Throws 400 like `addMembers`. */
export function createPool(
  deps: Deps,
  workspaceId: string,
  change: ChangeEntry | null,
  input: { name: string; numberIds: readonly string[] },
  onStored: (tx: Tx, pool: NumberPool) => Promise<void> = async () => undefined,
): Promise<NumberPool> {
  return commitChange(deps.db, change, async (tx) => {
    const at = new Date(deps.clock.now());
    const id = newId();
    await insertPool(tx, workspaceId, { id, name: input.name }, at);
    await join(tx, workspaceId, id, input.numberIds, at);
    const pool = await readPool({ db: tx, clock: deps.clock }, workspaceId, id);
    await onStored(tx, pool);
    return pool;
  });
}

/** Runs `work` on the locked pool and returns the changed pool. Throws 404. */
function changePool(
  deps: Deps,
  workspaceId: string,
  change: ChangeEntry | null,
  poolId: string,
  work: (tx: Tx, pool: PoolRow, at: Date) => Promise<void>,
): Promise<NumberPool> {
  return commitChange(deps.db, change, async (tx) => {
    const pool = isUuid(poolId) ? await lockPool(tx, workspaceId, poolId) : undefined;
    if (pool === undefined) throw errors.poolNotFound();
    const at = new Date(deps.clock.now());
    await work(tx, pool, at);
    return readPool({ db: tx, clock: deps.clock }, workspaceId, pool.id);
  });
}

export const renamePool = (
  deps: Deps,
  workspaceId: string,
  change: ChangeEntry | null,
  poolId: string,
  name: string,
) =>
  changePool(deps, workspaceId, change, poolId, (tx, pool, at) =>
    updatePool(tx, workspaceId, pool.id, { name }, at),
  );

/**
 * Adds numbers of the workspace. Idempotent. Throws 400 for foreign numbers, test numbers and numbers of other pools.
 */
export const addMembers = (
  deps: Deps,
  workspaceId: string,
  change: ChangeEntry | null,
  poolId: string,
  numberIds: readonly string[],
) =>
  changePool(deps, workspaceId, change, poolId, async (tx, pool, at) => {
    await join(tx, workspaceId, pool.id, numberIds, at);
    await updatePool(tx, workspaceId, pool.id, {}, at);
  });

/**
 * Removes numbers from the pool. Throws 400 for a number that is not in it, and 409 if a running campaign would have
 * no caller number left.
 */
export const removeMembers = (
  deps: Deps,
  workspaceId: string,
  change: ChangeEntry | null,
  poolId: string,
  names: readonly string[],
) =>
  changePool(deps, workspaceId, change, poolId, async (tx, pool, at) => {
    const numberIds = await numberIdsOf(tx, workspaceId, names);
    const found = new Map((await lockKnown(tx, workspaceId, numberIds)).map((number) => [number.id, number]));
    numberIds.forEach((id, index) => {
      const field = `from_number_ids[${index}]`;
      const number = found.get(id.toLowerCase());
      if (number === undefined) throw errors.numberNotInWorkspace(field);
      if (number.numberPoolId !== pool.id) throw errors.numberNotInPool(field);
    });
    const couldCall = await mayPoolCall(tx, workspaceId, pool.id);
    await setPool(tx, workspaceId, [...found.keys()], null, at);
    if (couldCall && !(await mayPoolCall(tx, workspaceId, pool.id))) {
      await refuseWhileInUse(tx, workspaceId, pool.id, 'its last usable number is removed');
    }
    await updatePool(tx, workspaceId, pool.id, {}, at);
  });

/** Deletes the pool, but not its numbers. Throws 404, and 409 while a campaign that uses it runs. */
export function removePool(
  deps: Deps,
  workspaceId: string,
  change: ChangeEntry | null,
  poolId: string,
): Promise<{ poolId: string }> {
  return commitChange(deps.db, change, async (tx) => {
    const pool = isUuid(poolId) ? await lockPool(tx, workspaceId, poolId) : undefined;
    if (pool === undefined) throw errors.poolNotFound();
    await refuseWhileInUse(tx, workspaceId, pool.id, 'the pool is deleted');
    await deletePool(tx, workspaceId, pool.id, new Date(deps.clock.now()));
    return { poolId: pool.id };
  });
}

/** Throws 409 if running campaigns use the locked pool: without caller numbers they would wait for ever. */
async function refuseWhileInUse(tx: Tx, workspaceId: string, poolId: string, act: string): Promise<void> {
  const running = await campaignsUnderWay(tx, workspaceId, { numberPoolId: poolId });
  if (running.length > 0) throw errors.poolHasCampaigns(running, act);
}

const lockKnown = (tx: Tx, workspaceId: string, numberIds: readonly string[]) =>
  lockNumbers(
    tx,
    workspaceId,
    numberIds.filter((id) => isUuid(id)),
  );

async function join(
  tx: Tx,
  workspaceId: string,
  poolId: string,
  names: readonly string[],
  at: Date,
): Promise<void> {
  const numberIds = await numberIdsOf(tx, workspaceId, names);
  const found = new Map((await lockKnown(tx, workspaceId, numberIds)).map((number) => [number.id, number]));
  const purposes = await purposesOfCampaigns(tx, workspaceId, poolId);
  numberIds.forEach((id, index) => {
    const field = `from_number_ids[${index}]`;
    const number = found.get(id.toLowerCase());
    if (number === undefined) throw errors.numberNotInWorkspace(field);
    if (number.isTestNumber) throw errors.testNumber();
    if (number.numberPoolId !== null && number.numberPoolId !== poolId) {
      throw errors.numberInOtherPool(field);
    }
    const [why] = purposes.flatMap((purpose) => misfit(number, purpose) ?? []);
    if (why !== undefined) throw errors.otherPurpose(field, `${number.number} ${why}`);
  });
  await setPool(tx, workspaceId, [...found.keys()], poolId, at);
}
