import { errors } from '../errors.ts';
import { isUuid } from '../shared/ids.ts';

const MAX_LIMIT = 200;

/**
 * A page of a log, newest first. `beforeId` is the last id of the page before, which belongs to `noun`, such as "an
 * entry". `list` takes so many rows older than that. `nextBefore` is null on the last page. Throws 400 and 422.
 */
export async function pageBefore<Row extends { readonly id: string }>(
  {
    limit,
    beforeId,
    noun,
  }: { readonly limit: number; readonly beforeId: string | null; readonly noun: string },
  list: (take: number) => Promise<readonly Row[]>,
): Promise<{ readonly rows: readonly Row[]; readonly limit: number; readonly nextBefore: string | null }> {
  if (limit > MAX_LIMIT) throw errors.limitTooHigh(MAX_LIMIT);
  if (beforeId !== null && !isUuid(beforeId)) throw errors.invalid('before', `must be the id of ${noun}`);
  // One row more than the page has shows that another page follows.
  const found = await list(limit + 1);
  const rows = found.slice(0, limit);
  return { rows, limit, nextBefore: found.length > limit ? (rows.at(-1)?.id ?? null) : null };
}
