import type { Db } from '../../store/database.ts';
import { keptAmong, listOutages, type Outage } from '../../store/webhooks/outages.ts';
import type { PageRequest } from '../cursor.ts';
import { readDeliveries, type Delivery } from './delivery-log.ts';
import type { Clock } from '../../shared/clock.ts';

/** Receivers that one answer lists at most. */
const MAX_RECEIVERS = 200;

export type { Outage };

export interface Failures {
  readonly failures: readonly (Delivery & { readonly isKept: boolean })[];
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
  /** Receivers that accept nothing, the longest outage first. */
  readonly receivers: readonly Outage[];
}

/** One page of the deliveries that were given up, newest first, and the receivers that accept nothing. */
export async function readFailures(
  deps: { readonly db: Db; readonly clock: Clock },
  workspaceId: string,
  page: PageRequest,
): Promise<Failures> {
  const filter = { callId: null, eventType: null, since: null, state: 'failed' } as const;
  const { deliveries, hasMore, nextCursor } = await readDeliveries(deps, workspaceId, filter, page);
  const kept = await keptAmong(
    deps.db,
    workspaceId,
    deliveries.map(({ id }) => id),
  );
  return {
    failures: deliveries.map((delivery) => ({ ...delivery, isKept: kept.has(delivery.id) })),
    hasMore,
    nextCursor,
    receivers: await listOutages(deps.db, workspaceId, MAX_RECEIVERS),
  };
}
