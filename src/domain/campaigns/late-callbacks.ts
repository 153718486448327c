import type { Clock } from '../../shared/clock.ts';
import { endedOrigins } from '../../store/callbacks.ts';
import type { Db } from '../../store/database.ts';
import { stopQueued } from '../calls/stop-queued.ts';
import { TERMINATED } from './terminate-campaign.ts';

/**
 * Cancels callbacks whose campaign ended before them, also long after it completed. A call that ends while its
 * campaign is terminated may queue one behind the sweep of that.
 */
export async function endLateCallbacks(deps: { readonly db: Db; readonly clock: Clock }): Promise<void> {
  for (const { workspaceId, laneId, isTerminated } of await endedOrigins(
    deps.db,
    new Date(deps.clock.now()),
  )) {
    const subStatus = isTerminated ? TERMINATED : 'CAMPAIGN_TIME_EXCEEDED';
    await stopQueued(deps, workspaceId, { callbacksOf: laneId }, { subStatus, withdraw: false });
  }
}
