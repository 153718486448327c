import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import type { Tx } from '../../store/database.ts';
import { lockPool, takeFromPool } from '../../store/number-pools.ts';
import type { PlacingNumber } from '../../store/placing.ts';

/** Where a call's caller number comes from: exactly one of them is set. */
export interface CallerSource {
  fromNumberId: string | null;
  fromNumber: string | null;
  numberPoolId: string | null;
}

/** Throws 422 unless exactly one source is set. */
export function checkSource(source: CallerSource, mayBePool: boolean): void {
  const given = [
    ...(source.fromNumberId === null ? [] : ['from_number_id']),
    ...(source.fromNumber === null ? [] : ['from_number']),
    ...(source.numberPoolId === null ? [] : ['number_pool_id']),
  ];
  if (given.length === 1) return;
  if (!mayBePool || (given.length === 2 && source.numberPoolId === null)) throw errors.bothCallerSources();
  throw errors.oneCallerSource(given);
}

/** How the number is looked for beside the agent; null: it comes out of a pool, or the id names nothing. */
export function soughtNumber(source: CallerSource): { id: string } | { number: string } | null {
  if (source.fromNumber !== null) return { number: source.fromNumber };
  return source.fromNumberId !== null && isUuid(source.fromNumberId) ? { id: source.fromNumberId } : null;
}

/** The number as found, when calls may be made from it. Throws 400. */
export function checkNumber(source: CallerSource, found: PlacingNumber | null): PlacingNumber {
  if (found === null) {
    throw errors.numberNotInWorkspace(source.fromNumber === null ? 'from_number_id' : 'from_number');
  }
  if (found.is_test_number) throw errors.testNumber();
  if (found.trunk_id === null) throw errors.numberWithoutTrunk();
  return found;
}

/** The pool's next number, which counts as used with this transaction. Throws 404 and 400. */
export async function pooledNumber(
  tx: Tx,
  workspaceId: string,
  poolId: string,
  at: Date,
): Promise<PlacingNumber> {
  const pool = isUuid(poolId) ? await lockPool(tx, workspaceId, poolId) : undefined;
  if (pool === undefined) throw errors.poolNotFound();
  const taken = await takeFromPool(tx, workspaceId, pool.id, at);
  if (taken === null) throw errors.poolWithoutNumber();
  return taken;
}
