import type { Clock } from '../../shared/clock.ts';
import type { Db } from '../../store/database.ts';
import { listDoNotCall, listNumbersAsDoNotCall, removeDoNotCall } from '../../store/do-not-call.ts';
import { stopQueued } from '../calls/stop-queued.ts';
import { checkNumbers } from './dialable-number.ts';

/** A page of the workspace's do-not-call list, newest first. */
export async function readDoNotCall(
  deps: { db: Db },
  workspaceId: string,
  number: string | null,
  page: { limit: number; offset: number },
) {
  const { numbers, total } = await listDoNotCall(deps.db, workspaceId, number, page);
  return {
    numbers: numbers.map((listed) => ({
      mobile_number: listed.number,
      reason: listed.reason,
      created_at: listed.created_at.toISOString(),
    })),
    limit: page.limit,
    offset: page.offset,
    count: numbers.length,
    total,
  };
}

/**
 * Lists numbers and cancels what is queued to them. The list comes first: from then on the dialer rings none of
 * them, whatever is queued meanwhile. Throws 422.
 */
export async function addDoNotCallNumbers(
  deps: { db: Db; clock: Clock },
  workspaceId: string,
  mobileNumbers: readonly string[],
): Promise<{ added: number; cancelled: number }> {
  checkNumbers('mobile_numbers', mobileNumbers);
  const numbers = [...new Set(mobileNumbers)];
  const at = new Date(deps.clock.now());
  const added = await listNumbersAsDoNotCall(deps.db, workspaceId, numbers, 'ADDED', at);
  const cancelled = await stopQueued(
    deps,
    workspaceId,
    { numbers },
    { subStatus: 'DND_SKIPPED', withdraw: false },
  );
  return { added, cancelled };
}

/** Takes numbers off the list. Throws 422. */
export async function removeDoNotCallNumbers(
  deps: { db: Db },
  workspaceId: string,
  mobileNumbers: readonly string[],
): Promise<{ removed: number }> {
  checkNumbers('mobile_numbers', mobileNumbers);
  return { removed: await removeDoNotCall(deps.db, workspaceId, mobileNumbers) };
}
