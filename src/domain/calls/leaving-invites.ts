import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../shared/clock.ts';
import type { Db } from '../../store/database.ts';
import { isInviteLeaving, type CallScope } from '../../store/queued-calls.ts';

/** Longer than from an attempt's journal row to its INVITE; the dialer sends none that is later. */
const LEAVES_WITHIN_MS = 1_000;
const LOOK_EVERY_MS = 25;
/** Clocks of two machines differ by less. */
const SKEW_MS = 60_000;

/**
 * Waits until no INVITE of the calls in scope can still be on its way out of a process: those journalled before the
 * calls were stopped have left then, and later ones are refused.
 */
export async function invitesHaveLeft(
  deps: { readonly db: Db; readonly clock: Clock },
  workspaceId: string,
  scope: CallScope,
): Promise<void> {
  const since = new Date(deps.clock.now() - LEAVES_WITHIN_MS - SKEW_MS);
  const until = performance.now() + LEAVES_WITHIN_MS;
  while (await isInviteLeaving(deps.db, workspaceId, scope, since)) {
    if (performance.now() >= until) return;
    await sleep(LOOK_EVERY_MS);
  }
}
