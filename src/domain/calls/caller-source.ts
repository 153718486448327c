import { hasMembers } from '../../store/numbers/numbers.ts';
import { toE164 } from '../numbers/phone-text.ts';
import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import type { Tx } from '../../store/database.ts';
import { lockPool, takeFromPool } from '../../store/numbers/pools.ts';
import type { PlacingNumber } from '../../store/calls/placing.ts';

/** Source of the caller number: exactly one field is set. */
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

/** The number to read together with the agent; null: it comes from a pool, or the id is invalid. */
export function soughtNumber(source: CallerSource): { id: string } | { number: string } | null {
  const { fromNumber, fromNumberId } = source;
  if (fromNumber !== null) return { number: toE164(fromNumber) ?? fromNumber };
  if (fromNumberId === null) return null;
  if (isUuid(fromNumberId)) return { id: fromNumberId };
  const number = toE164(fromNumberId);
  return number === null ? null : { number };
}

/** Returns a number that calls may be made from. Throws 400. */
export function checkNumber(
  source: CallerSource,
  found: PlacingNumber | null,
  isTestCall = false,
): PlacingNumber {
  if (found === null) {
    throw errors.numberNotInWorkspace(source.fromNumber === null ? 'from_number_id' : 'from_number');
  }
  if (found.is_test_number && !isTestCall) throw errors.testNumber();
  if (found.trunk_id === null) throw errors.numberWithoutTrunk();
  return found;
}

/** Takes the pool's next number in its rotation. Throws 404 and 400. */
export async function pooledNumber(
  tx: Tx,
  workspaceId: string,
  poolId: string,
  at: Date,
): Promise<PlacingNumber> {
  const pool = isUuid(poolId) ? await lockPool(tx, workspaceId, poolId) : undefined;
  if (pool === undefined) throw errors.poolNotFound();
  const taken = await takeFromPool(tx, workspaceId, pool.id, at);
  if (taken === null) throw errors.poolWithoutNumber(await hasMembers(tx, workspaceId, pool.id));
  return taken;
}
