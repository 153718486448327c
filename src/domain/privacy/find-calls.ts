import type { Db } from '../../store/database.ts';
import { walkCalls } from '../../store/privacy/erasure.ts';
import { isCallerOneOf } from '../numbers/caller-number.ts';

/**
 * Looks through the next `take` calls of the workspace after `afterCall` for calls with one of the numbers, also as a trunk
 * spelled it; `last` is null when none was left.
 */
export async function findCalls(
  db: Db,
  search: Parameters<typeof walkCalls>[1],
  take: number,
): Promise<{ readonly ids: string[]; readonly last: string | null }> {
  const { ids, alike, last } = await walkCalls(db, search, take);
  const spelt = alike.filter(({ from, to }) => isCallerOneOf(from, to, search.mobileNumbers));
  return { ids: [...ids, ...spelt.map(({ id }) => id)], last };
}
