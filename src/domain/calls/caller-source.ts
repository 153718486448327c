import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import type { Tx } from '../../store/database.ts';
import { lockPool, takeFromPool } from '../../store/number-pools.ts';
import { findCallerNumber, type CallerNumber } from '../../store/numbers.ts';

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

/** The number a call is made from; one of a pool counts as used. Throws 400, and 404 for an unknown pool. */
export async function callerNumber(
  tx: Tx,
  workspaceId: string,
  source: CallerSource,
  at: Date,
): Promise<CallerNumber> {
  const { fromNumberId, fromNumber, numberPoolId } = source;
  if (numberPoolId !== null) return pooledNumber(tx, workspaceId, numberPoolId, at);
  let found: CallerNumber | undefined;
  if (fromNumber !== null) found = await findCallerNumber(tx, workspaceId, { number: fromNumber });
  else if (fromNumberId !== null && isUuid(fromNumberId)) {
    found = await findCallerNumber(tx, workspaceId, { id: fromNumberId });
  }
  if (found === undefined) {
    throw errors.numberNotInWorkspace(fromNumber === null ? 'from_number_id' : 'from_number');
  }
  if (found.is_test_number) throw errors.testNumber();
  if (found.trunk_id === null) throw errors.numberWithoutTrunk();
  return found;
}

async function pooledNumber(tx: Tx, workspaceId: string, poolId: string, at: Date): Promise<CallerNumber> {
  const pool = isUuid(poolId) ? await lockPool(tx, workspaceId, poolId) : undefined;
  if (pool === undefined) throw errors.poolNotFound();
  const taken = await takeFromPool(tx, workspaceId, pool.id, at);
  if (taken === null) throw errors.poolWithoutNumber();
  return taken;
}
